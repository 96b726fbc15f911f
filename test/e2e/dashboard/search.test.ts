// The search by the keyboard, and what comes in while a page is open.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  DESKTOP,
  fillPayer,
  findAxeViolations,
  findBarriersEverywhere,
  getPayButton,
  openBrowserMerchant,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant()
const WIDE = 'W'.repeat(128)

/** Maria pays a new link by Pix, in a browser of her own, unless somebody simulates it. */
async function newPayment(title: string) {
  const link = await testMerchant.newLink({ title })
  const { page, context } = await testMerchant.newPage()
  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Pague com Pix' }).waitFor()
  await context.close()
  return link
}

/** A person at the dashboard says that the newest payment was made. */
async function simulatePayment({ page, at }: { page: Page; at: (path: string) => string }) {
  await page.goto(at('/painel/transacoes?status=pending'))
  await page.getByRole('link', { name: 'Maria Silva' }).first().click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByText('Pagamento simulado.').waitFor()
}

test('a key leads to the field that searches all, but not while somebody types', async () => {
  const { page, wrong, at } = await testMerchant.signIn(DESKTOP)
  const field = page.getByRole('searchbox', { name: 'Buscar em tudo' })
  const isThere = () => field.evaluate((element) => element === document.activeElement)
  await page.goto(at('/painel/links'))

  await page.keyboard.press('/')
  const bySlash = await isThere()
  await page.keyboard.type('a/b')
  const typed = await field.inputValue()
  await page.goto(at('/painel/links/novo'))
  await page.locator('input[type=text]:visible').first().focus()
  await page.keyboard.press('/')
  const whileTyping = await isThere()
  await page.keyboard.press('Control+k')

  expect([bySlash, typed, whileTyping, await isThere()]).toEqual([true, 'a/b', false, true])
  expect(wrong).toEqual([])
})

test('where the field has no room the same keys lead to its page', async () => {
  const { page, wrong, at } = await testMerchant.signIn({ viewport: { width: 320, height: 800 } })
  await page.goto(at('/painel/clientes'))

  await page.keyboard.press('/')
  await page.waitForURL(at('/painel/busca'))

  expect(wrong).toEqual([])
})

test('the search has no barriers, whatever was found', async () => {
  await newPayment(WIDE)
  const barriers = await findBarriersEverywhere((options) => testMerchant.signIn(options), {
    'the search': async ({ page, at }) => {
      await page.goto(at(`/painel/busca?q=${WIDE}`))
      await page.getByRole('heading', { name: 'Links' }).waitFor()
    },
  })

  expect(barriers).toEqual([])
})

test('a page in sight says what came in meanwhile, and shows it where somebody asks for it', async () => {
  await newPayment('Pudim')
  const owner = await testMerchant.signIn(DESKTOP)
  const watching = await testMerchant.signIn(DESKTOP)
  await watching.page.goto(watching.at('/painel/transacoes?status=approved'))
  const before = await watching.page.getByRole('row').count()

  await simulatePayment(owner)
  await watching.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const notice = watching.page.getByRole('link', { name: '1 novo pagamento' })
  await notice.waitFor()
  const title = await watching.page.title()
  const violations = await findAxeViolations(watching.page)
  await notice.click()
  await notice.waitFor({ state: 'detached' })

  expect(title).toMatch(/^\(1\) Pagamentos/)
  expect(violations).toEqual([])
  expect(await watching.page.getByRole('row').count()).toBe(Math.max(before, 1) + 1)
  expect(await watching.page.title()).toMatch(/^Pagamentos/)
  expect(watching.page.url()).toContain('status=approved')
  expect([...watching.wrong, ...owner.wrong]).toEqual([])
})
