// The checkout in each of its languages on the narrowest phone: what is said longest still fits, and can be
// chosen without a script.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CHECKOUT_TEXTS } from '../../../src/checkout/texts/languages.ts'
import { AGAIN } from '../../support/payer.ts'
import { openBrowserMerchant } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

const NARROW = { viewport: { width: 320, height: 640 }, hasTouch: true }

async function fillPayer(page: Page) {
  await page.locator('#name').fill('Maria Silva')
  await page.locator('#taxId').fill('52998224725')
  await page.locator('#email').fill('maria@example.com')
}

async function payByCard(page: Page, number: string) {
  await page.locator('#method-card').check({ force: true })
  await fillPayer(page)
  await page.locator('#card-number').pressSequentially(number)
  await page.locator('#card-holder').fill('MARIA SILVA')
  await page.locator('#card-expiry').pressSequentially('1230')
  await page.locator('#card-code').fill('123')
  await page.locator('.fold summary').press('Enter')
  await page.locator('[name="installments"]').last().check({ force: true })
}

test.each([
  ['en-US', CHECKOUT_TEXTS.en],
  ['es-MX', CHECKOUT_TEXTS.es],
])(
  'in %s nothing is cut or runs over at 320 px, from the form to the receipt',
  async (locale, t) => {
    const { page, wrong } = await testMerchant.newPage({ ...NARROW, locale })
    const link = await testMerchant.newLink({ amountCents: 123_456 })
    const seen: string[] = []
    const look = async (state: string) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (overflow > 0) seen.push(`${state}: ${overflow}px too wide`)
    }

    await page.goto(link.url)
    await look('form')
    const title = await page.title()
    await page.locator('.button-pay').click()
    await page.getByRole('heading', { name: /3/ }).waitFor()
    await look('problems')
    await payByCard(page, '4000000000009995')
    await look('card')
    await page.locator('.button-pay').click()
    await page.getByRole('heading', { name: t.payment.titles.declined }).waitFor()
    await look('declined')
    const reason = await page.locator('.reason').textContent()
    await page.goto(`${link.url}${AGAIN}`)
    await fillPayer(page)
    await page.locator('#method').check({ force: true })
    await page.locator('.button-pay').click()
    await page.getByRole('heading', { name: t.pix.heading }).waitFor()
    await look('Pix')
    await page.getByRole('button', { name: t.pix.simulate }).click()
    await page.getByRole('heading', { name: t.receipt.heading }).waitFor()
    await look('receipt')
    await page.goto(`${link.url}/report`)
    await look('report')

    expect(title).toBe(t.link.title('Matrícula 2027', 'Escola Vila Nova'))
    expect(reason).toBe(t.declines.insufficient_funds)
    expect(seen).toEqual([])
    expect(wrong).toEqual([])
  },
)

test.each(['pt-BR', 'en-US', 'es-MX'])(
  'without JavaScript the deadline of a Pix stands beside its clock, in %s',
  async (locale) => {
    const { page } = await testMerchant.newPage({ ...NARROW, locale, javaScriptEnabled: false })
    await page.goto((await testMerchant.newLink()).url)
    await fillPayer(page)
    await page.locator('.button-pay').click()

    const clock = await page.locator('.deadline .icon').boundingBox()
    const words = await page
      .locator('.deadline > span')
      .first()
      .evaluate((span) => span.getClientRects()[0]!.y)

    expect(Math.abs(clock!.y - words)).toBeLessThan(12)
  },
)

test('without JavaScript a language is chosen below the form, and kept until the receipt', async () => {
  const { page, wrong } = await testMerchant.newPage({ ...NARROW, javaScriptEnabled: false })
  const link = await testMerchant.newLink()
  const { en } = CHECKOUT_TEXTS

  await page.goto(link.url)
  await page.getByRole('link', { name: 'English' }).click()
  await fillPayer(page)
  await page.getByRole('button', { name: en.link.pay }).click()
  await page.getByRole('button', { name: en.pix.simulate }).click()

  await page.getByRole('heading', { name: en.receipt.heading }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(wrong).toEqual([])
})

test('who goes back to a form that was shown in another language is shown what became of it', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage({ locale: 'pt-BR' })
  await page.goto(link.url)
  await page.getByRole('link', { name: 'English' }).click()
  await page.locator('html[lang="en"]').waitFor()
  await payByCard(page, '4242424242424242')
  await page.locator('.button-pay').click()
  const heading = page.getByRole('heading', { name: CHECKOUT_TEXTS.en.receipt.heading })
  await heading.waitFor()
  const receipt = page.url()

  await page.goBack()

  await heading.waitFor()
  expect(page.url()).toBe(receipt)
  expect(wrong).toEqual([])
})

test('what was typed comes along into another language with where its payer came from, and no card does', async () => {
  const link = await testMerchant.newLink()
  const { page, wrong } = await testMerchant.newPage({ locale: 'pt-BR' })
  const address = `${link.url}?ref=natal+%26+ano`
  await page.goto(address)
  await page.locator('#method-card').check({ force: true })
  await fillPayer(page)
  await page.locator('#card-number').pressSequentially('4242424242424242')

  await page.getByRole('link', { name: 'English' }).click()
  await page.locator('html[lang="en"]').waitFor()
  const typed = await page
    .locator('#name, #taxId, #email, #card-number')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  const chosen = await page.locator('#method-card').isChecked()
  await page.reload()

  expect(typed).toEqual(['Maria Silva', '529.982.247-25', 'maria@example.com', ''])
  expect(chosen).toBe(true)
  expect(page.url()).toBe(address)
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(await page.locator('[name="ref"]').getAttribute('value')).toBe('natal & ano')
  expect(wrong).toEqual([])
})

test('a deadline is shown in the time of its payer', async () => {
  const link = await testMerchant.newLink()
  const timeZone = 'America/Rio_Branco'
  const { page } = await testMerchant.newPage({ ...NARROW, timezoneId: timeZone, locale: 'pt-BR' })

  await page.goto(link.url)
  await fillPayer(page)
  await page.locator('.button-pay').click()
  const deadline = page.locator('.deadline time')
  await expect.poll(() => deadline.textContent()).toMatch(/^até (\d\d\/\d\d\/\d{4} às )?\d\d:\d\d$/)
  const at = new Date((await deadline.getAttribute('datetime')) ?? '')

  expect(await deadline.textContent()).toContain(
    at.toLocaleTimeString('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' }),
  )
})
