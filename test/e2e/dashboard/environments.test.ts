// The switch between a company's environments: seen and used at any width, in the light and in the dark.
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { isNull } from '../../../src/database/drizzle.ts'
import { companies } from '../../../src/database/tables.ts'
import {
  DESKTOP,
  fillPayer,
  findAxeViolations,
  getPayButton,
  openBrowserMerchant,
  PHONE,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const BANNER = 'AMBIENTE DE TESTE'
const NEWS = { name: '1 novo pagamento' }

test.each([
  ['a phone', PHONE],
  ['a desk', DESKTOP],
])('at %s the environment is seen at once, and switched in one step', async (_where, options) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, at } = await testMerchant.signIn({ ...options, colorScheme })
    await page.goto(at('/painel/links'))
    const inTest = await lookAt(page)
    await page.getByRole('button', { name: 'Real', exact: true }).click()
    const inReal = await lookAt(page)
    await page.getByRole('button', { name: 'Teste', exact: true }).click()
    const back = await lookAt(page)

    expect(inTest).toEqual({ ...SEEN, banner: true, pressed: 'Teste' })
    expect(inReal).toEqual({ ...SEEN, banner: false, pressed: 'Real' })
    expect(back).toEqual(inTest)
    await page.close()
  }
})

test('in the real one what is in use stands beside its method, as wide as where nothing is yet', async () => {
  const { page, at } = await testMerchant.signIn()
  await page.getByRole('button', { name: 'Real', exact: true }).click()
  const widthOf = async () => {
    await page.goto(at('/painel/recebimentos'))
    return (await page.locator('.way').first().boundingBox())!.width
  }

  const unused = await widthOf()
  const useInReal = (pixProvider: 'pix-api' | null) =>
    testMerchant.db.update(companies).set({ pixProvider }).where(isNull(companies.testOf))
  // Or whoever signs in next would come into the real one.
  onTestFinished(async () => void (await useInReal(null)))
  await useInReal('pix-api')
  await expect
    .poll(async () => (await page.reload()) && page.getByText('Parar de receber').count())
    .toBe(1)

  expect(await widthOf()).toBe(unused)
})

test('news of the test environment lead to no page that is half of the real one', async () => {
  const { page, context, at } = await testMerchant.signIn()
  await page.goto(at('/painel/transacoes'))
  await payInTest()
  const notice = page.getByRole('link', NEWS)
  await notice.waitFor()
  await switchElsewhere(context, at, 'Real')

  await notice.click()
  await findChosen(page, 'Real').waitFor()

  expect(await page.getByText(BANNER).count()).toBe(0)
})

test('a page that was left in the other environment hears of no payment of this one, and a newer one does', async () => {
  const { page, context, at } = await testMerchant.signIn()
  await page.goto(at('/painel/transacoes'))
  await switchElsewhere(context, at, 'Real')
  await askForNews(page)
  await switchElsewhere(context, at, 'Teste')
  const newer = await context.newPage()
  await newer.goto(at('/painel/transacoes'))

  await payInTest()
  await askForNews(newer)

  await newer.getByRole('link', NEWS).waitFor()
  await askForNews(page)
  expect(await page.getByRole('link', NEWS).count()).toBe(0)
}, 60_000)

/** As when its tab comes into sight: a page asks then, and every 20 seconds. */
async function askForNews(page: Page) {
  await page.bringToFront()
  const answer = page.waitForResponse(/\/painel\/novos/, { timeout: 2_000 }).catch(() => null)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await answer
}

async function switchElsewhere(
  context: BrowserContext,
  at: (path: string) => string,
  name: 'Teste' | 'Real',
) {
  const tab = await context.newPage()
  await tab.goto(at('/painel/links'))
  await tab.getByRole('button', { name, exact: true }).click()
  await findChosen(tab, name).waitFor()
  await tab.close()
}

function findChosen(page: Page, name: 'Teste' | 'Real') {
  return page.locator('.environment button[aria-pressed="true"]', { hasText: name })
}

async function payInTest() {
  const { url } = await testMerchant.newLink()
  const { page, context } = await testMerchant.newPage()
  await page.goto(url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByRole('button', { name: 'Simular pagamento' }).click()
  await page.getByRole('heading', { name: 'Pagamento aprovado' }).waitFor()
  await context.close()
}

const SEEN = { path: '/painel/links', isWide: false, isInView: true, violations: [] }

async function lookAt(page: Page) {
  const pressed = page.locator('.environment button[aria-pressed="true"]')
  const box = (await pressed.boundingBox())!
  return {
    path: new URL(page.url()).pathname,
    banner: await page.getByText(BANNER).isVisible(),
    pressed: await pressed.textContent(),
    isInView: box.y + box.height < 200 && box.height >= 32,
    isWide: await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    violations: await findAxeViolations(page),
  }
}
