// The checkout on a phone with a slow network: what it loads, and what it keeps of a payment.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { countTraffic, openTrafficSession } from '../../support/processes/browser.ts'
import { fillPayer, getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

async function paymentsOf(linkId: string) {
  return testMerchant.db.select().from(transactions).where(eq(transactions.paymentLinkId, linkId))
}

test('the address of a Pix code survives a reload and the back button', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage()

  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  const code = page.getByLabel('Código Pix copia e cola')
  const shown = await code.inputValue()
  const address = page.url()
  await page.reload()
  const reloaded = await code.inputValue()
  await page.goBack()
  await page.waitForURL(address)

  expect(address).toMatch(/\/payments\/[0-9A-Za-z]+$/)
  expect(reloaded).toBe(shown)
  expect(await code.inputValue()).toBe(shown)
  expect(await page.title()).toContain('Pague com Pix')
  expect(await paymentsOf(link.id)).toHaveLength(1)
  expect(wrong).toEqual([])
})

test('where the answer is lost on its way the link leads to the payment that was made', async () => {
  const link = await testMerchant.newLink()
  const { page } = await testMerchant.newPage()

  await page.goto(link.url)
  await fillPayer(page)
  await page.route(
    '**/payments',
    (route) => route.fetch().then(() => route.abort('connectionreset')),
    { times: 1 },
  )
  await getPayButton(page).click()
  await page.waitForURL('chrome-error://chromewebdata/')
  await page.goto(link.url)
  await page.getByLabel('Código Pix copia e cola').waitFor()

  expect(await paymentsOf(link.id)).toHaveLength(1)
})

test('a phone loads the checkout in three requests and 20 kB, from behind no proxy', async () => {
  const link = await testMerchant.newLink()
  const { page, context } = await testMerchant.newPage()
  const traffic = countTraffic(await openTrafficSession(context, page))

  await page.goto(link.url, { waitUntil: 'networkidle' })
  const { requests, bytes } = traffic.read()

  expect(requests).toHaveLength(3)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThanOrEqual(20_000)
})

test('the button that copies a code comes with the script that copies, and nothing moves', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage(PHONE)
  const seen = Promise.withResolvers<void>()
  await page.route('**/payment.js', async (route) => {
    await seen.promise
    await route.continue()
  })
  const copy = page.getByRole('button', { name: 'Copiar código Pix' })
  const readQrTop = async () => (await page.locator('.qr').boundingBox())!.y

  await page.goto(link.url)
  await fillPayer(page)
  await getPayButton(page).click()
  await page.getByLabel('Código Pix copia e cola').waitFor()
  const before = { isShown: await copy.isVisible(), top: await readQrTop() }
  seen.resolve()
  await copy.waitFor()

  expect(before).toEqual({ isShown: false, top: await readQrTop() })
  expect(wrong).toEqual([])
})
