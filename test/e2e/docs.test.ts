// The docs in a browser: no reader is shut out, nothing scrolls sideways, and scripts only help.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, findBarriersEverywhere, openBrowserMerchant } from './merchant.ts'

const testMerchant = await openBrowserMerchant()

/** The docs of the service that the link's checkout belongs to. */
async function open(page: Page, path = '') {
  const { url } = await testMerchant.newLink()
  const home = `${new URL(url).origin}/api/docs`
  await page.goto(home + path)
  return home
}

async function allPaths(page: Page, home: string) {
  const hrefs = await page
    .locator('nav a')
    .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))
  return hrefs
    .filter((href) => href.startsWith(home) && !href.includes('/referencia'))
    .map((href) => href.slice(home.length))
}

/** Between them they have all that a page is made of. */
const SEEN_PAGES = ['', '/comecar', '/webhooks', '/recebimentos']

test('no page of the docs is wider than the narrowest phone, nor has one a barrier', async () => {
  const { page } = await testMerchant.newPage({ viewport: { width: 320, height: 800 } })
  const home = await open(page)
  const wide: string[] = []
  for (const path of await allPaths(page, home)) {
    await page.goto(home + path)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) wide.push(`${path}: ${overflow}px`)
  }
  const visit = (path: string) => (tab: { page: Page }) => tab.page.goto(home + path)
  const seen = Object.fromEntries(SEEN_PAGES.map((path) => [path, visit(path)]))

  const barriers = await findBarriersEverywhere(testMerchant.newPage, seen)

  expect([...wide, ...barriers]).toEqual([])
})

test('on a phone the menu opens by keyboard, leads on and gets out of the way', async () => {
  const { page } = await testMerchant.newPage()
  await open(page)

  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('navigation', { name: 'Documentação' })
  expect(await menu.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await menu.isVisible()).toBe(false)

  await page.getByRole('button', { name: 'Menu' }).click()
  await menu.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
})

test('a language that was chosen is chosen in every example, and on the next page', async () => {
  const { page } = await testMerchant.newPage(DESKTOP)
  const home = await open(page, '/comecar')

  await page.getByRole('radio', { name: 'PHP' }).first().check()

  expect(await page.locator('.tabs .code:visible').count()).toBe(2)
  expect(await page.locator('.tabs [data-language=php]:visible').count()).toBe(2)
  await page.goto(`${home}/reembolsos`)
  await page.locator('.tabs [data-language=php]:visible').waitFor()
  expect(await page.locator('.tabs .code:visible').count()).toBe(1)
})

test('without JavaScript everything is there: the menu, the languages, the code', async () => {
  const { page } = await testMerchant.newPage({ ...DESKTOP, javaScriptEnabled: false })
  await open(page, '/webhooks')

  expect(await page.getByRole('link', { name: 'Começar' }).isVisible()).toBe(true)
  expect(await page.getByText('import hmac').isVisible()).toBe(true)
  expect(await page.getByRole('radio').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Copiar/ }).count()).toBe(0)
})

test('the colours of code change no letter of it', async () => {
  const { page } = await testMerchant.newPage(DESKTOP)
  const home = await open(page, '/webhooks')
  const written = await (await page.request.get(`${home}/webhooks.md`)).text()

  await page.locator('[data-language=php] .code-comment').first().waitFor({ state: 'attached' })
  const codes = await page.locator('.code code').allTextContents()

  for (const code of codes) expect(written).toContain(code.trimEnd())
})

test('a call is copied as it stands', async () => {
  const { page, context } = await testMerchant.newPage(DESKTOP)
  const home = await open(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: new URL(home).origin,
  })

  await page.getByRole('button', { name: 'Copiar: Um link de R$ 19,90' }).click()
  await page.getByText('Copiado').first().waitFor()

  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^curl http:\/\/localhost:\d+\/api\/payment-links \\\n/)
  expect(copied).toContain(`"title": "Bolo de cenoura"`)
})
