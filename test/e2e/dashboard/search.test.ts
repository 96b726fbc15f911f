// Search and go by the keyboard alone, and what comes in while a page is open.
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

/** Somebody at the desk says that the newest payment was made. */
async function simulatePayment({ page, at }: { page: Page; at: (path: string) => string }) {
  await page.goto(at('/painel/transacoes?status=pending'))
  await page.getByRole('link', { name: 'Maria Silva' }).first().click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByText('Pagamento simulado.').waitFor()
}

const chosenOf = (page: Page) => page.locator('#palette-list [aria-selected=true]')

test('the palette is opened, walked, followed and left by keys', async () => {
  await newPayment(`Torta ${WIDE.slice(0, 100)}`)
  const { page, wrong, at } = await testMerchant.signIn(DESKTOP)
  await page.goto(at('/painel/links'))
  const opener = page.getByRole('link', { name: 'Clientes' }).last()
  await opener.focus()

  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: 'Buscar e ir' })
  await input.waitFor()
  await page.getByRole('option', { name: 'Início' }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.type('torta')
  await page.getByRole('option', { name: /Maria Silva/ }).waitFor()
  const first = await chosenOf(page).textContent()
  expect(await input.getAttribute('aria-activedescendant')).toBe(
    await chosenOf(page).getAttribute('id'),
  )
  await page.keyboard.press('ArrowDown')
  const second = await chosenOf(page).textContent()
  await page.keyboard.press('ArrowUp')
  const again = await chosenOf(page).textContent()
  const violations = await findAxeViolations(page)
  await page.keyboard.press('Escape')
  const isBack = await opener.evaluate((element) => element === document.activeElement)
  await page.keyboard.press('/')
  await page.keyboard.type('zzzz')
  await page.getByText('Nada encontrado.').waitFor()
  await input.fill('relat')
  await page.getByRole('option', { name: 'Relatórios' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/painel/relatorios')

  expect(first).toContain('Maria Silva')
  expect(second).toContain('Torta')
  expect(again).toBe(first)
  expect(violations).toEqual([])
  expect(isBack).toBe(true)
  expect(wrong).toEqual([])
})

test('what is pasted and sent at once opens its own first option, not that of before', async () => {
  const { page, wrong, at } = await testMerchant.signIn(DESKTOP)
  await page.goto(at('/painel/links'))
  const input = page.getByRole('combobox', { name: 'Buscar e ir' })

  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Início' }).waitFor()
  await input.fill('relat')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/painel(?!\/links)/)
  const first = page.url()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Início' }).waitFor()
  await input.fill('zzzz')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/painel(?!\/relatorios)/)

  expect(first).toBe(at('/painel/relatorios'))
  expect(page.url()).toBe(at('/painel/busca?q=zzzz'))
  expect(wrong).toEqual([])
})

test('keys lead to pages, but not while somebody types, with a modifier, or once turned off', async () => {
  const { page, wrong, at } = await testMerchant.signIn(DESKTOP)
  await page.goto(at('/painel'))

  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.waitForURL('**/painel/transacoes')
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.waitForURL('**/painel/links')
  await page.keyboard.press('n')
  await page.waitForURL('**/painel/links/novo')
  await page.locator('input[type=text]:visible').first().focus()
  await page.keyboard.type('gl?/n')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.goto(at('/painel/clientes'))
  await page.keyboard.press('Alt+n')
  await page.keyboard.press('Shift+?')
  await page.getByRole('heading', { name: 'Atalhos de teclado' }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await page.getByLabel('Usar atalhos de uma tecla').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.keyboard.press('?')

  expect(await page.locator('dialog[open]').count()).toBe(0)
  expect(page.url()).toBe(at('/painel/clientes'))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  expect(wrong).toEqual([])
})

test('without JavaScript the search is a page, and nothing of the palette is in the way', async () => {
  await newPayment('Empada rara')
  const { page, wrong, at } = await testMerchant.signIn({ ...DESKTOP, javaScriptEnabled: false })
  await page.goto(at('/painel'))

  await page.getByRole('searchbox', { name: 'Buscar em tudo' }).fill('empada')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pagamentos' }).waitFor()
  await page.getByRole('link', { name: /Maria Silva/ }).click()
  await page.waitForURL('**/painel/transacoes/*')

  expect(await page.locator('dialog:visible').count()).toBe(0)
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

test('a name that was found keeps its line on a phone, however long the status beside it', async () => {
  await newPayment('Quindim')
  const { page, wrong, at } = await testMerchant.signIn({ viewport: { width: 320, height: 800 } })
  await page.goto(at('/painel/busca?q=quindim'))
  const payment = page.getByRole('link', { name: /Maria Silva/ })
  await payment.getByText('Aguardando pagamento').waitFor()

  const lines = await payment.getByText('Maria Silva').evaluate((name) => {
    const range = document.createRange()
    range.selectNodeContents(name)
    return range.getClientRects().length
  })

  expect(lines).toBe(1)
  expect(wrong).toEqual([])
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

  expect(title).toMatch(/^\(1\) Transações/)
  expect(violations).toEqual([])
  expect(await watching.page.getByRole('row').count()).toBe(Math.max(before, 1) + 1)
  expect(await watching.page.title()).toMatch(/^Transações/)
  expect(watching.page.url()).toContain('status=approved')
  expect([...watching.wrong, ...owner.wrong]).toEqual([])
})
