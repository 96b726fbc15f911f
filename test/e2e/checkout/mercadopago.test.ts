// A card paid through Mercado Pago in a browser: its frames, its installments, its bank's page.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { transactions } from '../../../src/database/tables.ts'
import { createLogger } from '../../../src/http/log.ts'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { SECRET_KEY } from '../../support/processes/service.ts'
import { openFakeMercadoPago } from '../../support/providers/mercadopago/fake.ts'
import {
  fillPayer,
  findAxeViolations,
  getPayButton,
  openBrowserMerchant,
  PHONE,
} from '../merchant.ts'
import { serveMercadoPago } from './mercadopago-sdk.ts'

const testMerchant = await openBrowserMerchant()
const fake = await openFakeMercadoPago()
fake.settings.bankUrl = 'https://www.mercadopago.com.br'

beforeAll(async () => {
  const { db, company } = testMerchant
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const log = createLogger('silent', { write: () => true })
  const now = new Date()
  const account = { companyId: company.id, provider: 'mercadopago', now } as const
  const needs = { db, cipher, log, allowPrivate: true }
  await saveAccount(needs, { ...account, config: fake.config })
  await chooseProvider(db, { ...account, method: 'credit_card' })
})

async function open(fields: object = {}, options: object = PHONE) {
  const link = await testMerchant.newLink(fields)
  const { page, context, wrong } = await testMerchant.newPage(options)
  await serveMercadoPago(context, fake.url)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto(link.url)
  return { link, page, sent, wrong }
}

async function typeCard(page: Page, number: string) {
  await page.getByText('Cartão de crédito').click()
  await type(page, 'Número do cartão', number)
  await page.getByLabel('Nome impresso no cartão').fill('MARIA SILVA')
  await type(page, 'Validade', '0730')
  await type(page, 'Código de segurança', '123')
}

/** Chromium now and then drops a key or a click into another process's frame; a person does it again. */
async function type(page: Page, title: string, text: string) {
  const field = frame(page, title)
  await expect
    .poll(async () => {
      await field.fill('')
      await field.pressSequentially(text)
      return field.inputValue()
    })
    .toBe(text)
}

async function approve(page: Page) {
  const button = page.frameLocator('iframe.challenge').getByRole('button', { name: 'Aprovar' })
  const receipt = page.getByRole('heading', { name: 'Comprovante de pagamento' })
  const goOn = async () => {
    await button.click({ timeout: 1_000 }).catch(() => undefined)
    return receipt.isVisible()
  }
  await expect.poll(goOn, { timeout: 20_000, interval: 500 }).toBe(true)
}

function frame(page: Page, title: string) {
  return page.frameLocator(`iframe[title="${title}"]`).getByLabel('field')
}

async function paymentOf(linkId: string) {
  const [row] = await testMerchant.db
    .select()
    .from(transactions)
    .where(eq(transactions.paymentLinkId, linkId))
  return row
}

/** What went wrong but for requests to Mercado Pago, which are meant. */
function surprises(wrong: string[]) {
  return wrong.filter(
    (one) => !/^request to https:\/\/[\w-]+\.mercado(pago|libre)\.com(\.br)?$/.test(one),
  )
}

test('a card typed into the frames is paid in the installments that it was quoted', async () => {
  const { link, page, sent, wrong } = await open()

  await fillPayer(page)
  const sentByPix = sent.filter((one) => /mercado(pago|libre)\.com/.test(one))
  await typeCard(page, '4242424242424242')
  // By the keyboard: a frame that was typed into may still scroll the page, and a click would miss.
  await page.getByText('Ver outras opções').press('Enter')
  await page.getByRole('radio', { name: '3x de R$ 34,67 R$ 104,01 1,99% a.m.' }).press('Space')
  await page.getByRole('button', { name: 'Pagar R$ 104,01 em 3x' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(sentByPix).toEqual([])
  expect(await page.locator('main').textContent()).toMatch(/Visa •••• 4242/)
  expect(await paymentOf(link.id)).toMatchObject({
    status: 'approved',
    provider: 'mercadopago',
    totalCents: 10_401,
    installments: 3,
  })
  expect(sent.join('\n')).not.toContain('4242424242424242')
  expect(fake.calls(/^POST .*orders$/).at(-1)!.headers['x-meli-session-id']).toBe(
    'armor.0f544cb7.checkout',
  )
  expect(surprises(wrong)).toEqual([])
})

test('the page does not show what names the payer’s device, and a card is paid where it does not come', async () => {
  const { link, page, wrong } = await open()
  await page.getByText('Cartão de crédito').click()
  await page.locator('body > iframe').waitFor({ state: 'attached' })
  const isSeen = await page.locator('body > iframe').isVisible()
  await page.context().route('https://www.mercadopago.com/v2/security.js', (route) => route.abort())
  await page.goto(link.url)

  await fillPayer(page)
  await typeCard(page, '4242424242424242')
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(isSeen).toBe(false)
  expect(await paymentOf(link.id)).toMatchObject({ status: 'approved' })
  expect(fake.calls(/^POST .*orders$/).at(-1)!.headers['x-meli-session-id']).toBeUndefined()
  expect(surprises(wrong).filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
})

test('the bank asks in a frame, and its answer is on the page at once', async () => {
  const { link, page, wrong } = await open()

  await fillPayer(page)
  await typeCard(page, '4000000000003220')
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Confirme a compra' }).waitFor()
  const address = page.url()
  await approve(page)

  expect(page.url()).toBe(address)
  expect(await paymentOf(link.id)).toMatchObject({ status: 'approved', threeDsFlow: 'challenge' })
  expect(surprises(wrong)).toEqual([])
})

test('a number that Mercado Pago does not take is pointed at, and nothing is sent', async () => {
  const { link, page, wrong } = await open()

  await fillPayer(page)
  await typeCard(page, '42424242')
  await getPayButton(page).click()
  await page.getByRole('link', { name: 'Confira o número do cartão.' }).click()

  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
  expect(await findAxeViolations(page)).toEqual([])
  expect(await paymentOf(link.id)).toBeUndefined()
  expect(surprises(wrong)).toEqual([])
})

test('a card that Mercado Pago never answers for is not waited for without an end, and pays after that', async () => {
  const { link, page } = await open()
  await fillPayer(page)
  await typeCard(page, '4242424242424242')
  const number = await page.locator('#card-number iframe').elementHandle()
  const content = await number?.contentFrame()
  await content?.evaluate(() => {
    const answer = window.onmessage
    window.onmessage = () => {
      window.onmessage = answer
    }
  })
  await page.clock.install()

  await getPayButton(page).click()
  await page.locator('.button-pay[aria-disabled]').waitFor()
  await page.clock.fastForward(15_000)
  await page.getByRole('link', { name: 'Não foi possível ler o cartão.' }).waitFor()
  const unpaid = await paymentOf(link.id)
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(unpaid).toBeUndefined()
  expect(await paymentOf(link.id)).toMatchObject({ status: 'approved' })
})

test('when Mercado Pago’s script does not come, the page says so, Pix is open, and what was typed stays', async () => {
  const { page, link } = await open()
  const script = 'https://sdk.mercadopago.com/js/v2'
  await page.context().route(script, (route) => route.abort())
  await fillPayer(page)

  await page.getByText('Cartão de crédito').click()

  const notice = page.locator('[data-card-failure]')
  await expect.poll(() => notice.isVisible()).toBe(true)
  expect(await notice.textContent()).toContain('pague com Pix')
  expect(await findAxeViolations(page)).toEqual([])

  await page.context().unroute(script)
  await serveMercadoPago(page.context(), fake.url)
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await typeCard(page, '4242424242424242')
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(await paymentOf(link.id)).toMatchObject({ status: 'approved' })
})
