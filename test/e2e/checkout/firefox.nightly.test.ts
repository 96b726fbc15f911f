// The checkout in Firefox, which is another engine than every other test's: what a payer does there.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { launchFirefox, needFirefox } from '../../support/processes/firefox.ts'
import {
  DESKTOP,
  fillCard,
  fillPayer,
  getPayButton,
  openBrowserMerchant,
  payByCard,
} from '../merchant.ts'

const testMerchant = await openBrowserMerchant({ launch: launchFirefox })
beforeEach(needFirefox)

async function paymentsOf(linkId: string) {
  return testMerchant.db.select().from(transactions).where(eq(transactions.paymentLinkId, linkId))
}

async function openLink(options?: typeof DESKTOP) {
  const link = await testMerchant.newLink()
  const tab = await testMerchant.newPage(options)
  await tab.page.goto(link.url)
  return { ...tab, link }
}

test('in Firefox a Pix code is copied, and its page becomes the receipt by itself', async () => {
  const { page, wrong } = await openLink()
  await fillPayer(page)
  await getPayButton(page).click()

  await page.getByRole('button', { name: 'Copiar código Pix' }).click()
  await page.getByText('Código copiado').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const shown = await page.getByLabel('Código Pix copia e cola').inputValue()
  const address = page.url()
  await fetch(`${address}/simulate`, { method: 'POST' })
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(copied).toBe(shown)
  expect(copied).toMatch(/^000201.*6304[0-9A-F]{4}$/)
  expect(page.url()).toBe(address)
  expect(await page.title()).toContain('Pagamento aprovado')
  expect(wrong).toEqual([])
})

test('in Firefox a card is paid in installments, and its number never leaves the browser', async () => {
  const { page, wrong, link } = await openLink()
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))

  await fillPayer(page)
  await fillCard(page, '4242424242424242')
  await chooseInstallments(page, 3)
  const number = await page.getByLabel('Número do cartão').inputValue()
  await page.getByRole('button', { name: 'Pagar R$ 106,05 em 3x' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(number).toBe('4242 4242 4242 4242')
  expect(sent.join('\n').replace(/\D/g, '')).not.toContain('4242424242424242')
  const [payment] = await paymentsOf(link.id)
  expect(payment).toMatchObject({ status: 'approved', totalCents: 10_605, installments: 3 })
  expect(wrong).toEqual([])
})

test.each([
  ['Aprovar', 'Comprovante de pagamento', 'approved'],
  ['Recusar', 'Não foi possível confirmar sua identidade', 'declined'],
])(
  'in Firefox the bank asks in a frame, and "%s" ends on the same page',
  async (answer, end, status) => {
    const { page, wrong, link } = await openLink()
    await payByCard(page, '4000000000003220')

    const address = await waitForFrame(page)
    await page.frameLocator('iframe').getByRole('button', { name: answer }).click()
    await page.getByText(end).first().waitFor()

    expect(page.url()).toBe(address)
    expect((await paymentsOf(link.id))[0]).toMatchObject({ status })
    expect(wrong).toEqual([])
  },
)

async function waitForFrame(page: Page) {
  await page.getByRole('heading', { name: 'Confirme a compra' }).waitFor()
  return page.url()
}

test('in Firefox only the fields of the method that is chosen are shown, on a phone and a desktop', async () => {
  for (const options of [undefined, DESKTOP]) {
    const { page, wrong, context } = await openLink(options)
    const isCardShown = () => page.getByLabel('Número do cartão').isVisible()
    const paysWithPix = () => page.getByRole('button', { name: /com Pix$/ }).isVisible()
    const atFirst = [await isCardShown(), await paysWithPix()]

    await page.getByText('Cartão de crédito').click()

    expect(atFirst).toEqual([false, true])
    expect([await isCardShown(), await paysWithPix()]).toEqual([true, false])
    const isTooWide = () => document.documentElement.scrollWidth > innerWidth
    expect(await page.evaluate(isTooWide)).toBe(false)
    expect(wrong).toEqual([])
    await context.close()
  }
})

test('in Firefox a keyboard alone pays by card, and always shows where it is', async () => {
  const { page, wrong, link } = await openLink(DESKTOP)

  await tabTo(page, '[name=method]')
  await page.keyboard.press('ArrowDown')
  for (const [field, text] of [
    ['[name=name]', 'Maria Silva'],
    ['[name=taxId]', '52998224725'],
    ['[name=email]', 'maria@example.com'],
    ['[autocomplete=cc-number]', '4242424242424242'],
    ['[autocomplete=cc-name]', 'MARIA SILVA'],
    ['[autocomplete=cc-exp]', '730'],
    ['[autocomplete=cc-csc]', '123'],
  ] as const) {
    expect(await tabTo(page, field)).not.toBe('0px')
    await page.keyboard.type(text)
  }
  expect(await tabTo(page, 'button[type=submit]')).not.toBe('0px')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect((await paymentsOf(link.id))[0]).toMatchObject({
    status: 'approved',
    method: 'credit_card',
  })
  expect(wrong).toEqual([])
})

/** Onwards or back to the start, as far as it takes; how wide the ring around it is. */
async function tabTo(page: Page, selector: string): Promise<string> {
  for (let steps = 0; steps < 60; steps++) {
    const ring = await page.evaluate((wanted) => {
      const at = document.activeElement
      return at?.matches(wanted) ? getComputedStyle(at).outlineWidth : null
    }, selector)
    if (ring !== null) return ring
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to ${selector}`)
}

async function chooseInstallments(page: Page, count: number) {
  await page.getByText('Ver outras opções').click()
  await page.locator(`[name=installments][value="${count}"]`).check()
}
