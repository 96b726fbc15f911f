// A card paid through Malga in a browser: its frames, the address, the bank's collector and its page.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { transactions } from '../../../src/database/tables.ts'
import { createLogger } from '../../../src/http/log.ts'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { SECRET_KEY } from '../../support/processes/service.ts'
import { openFakeMalga } from '../../support/providers/malga/fake.ts'
import {
  fillPayer,
  findAxeViolations,
  getPayButton,
  openBrowserMerchant,
  PHONE,
} from '../merchant.ts'
import { COLLECTOR, serveMalga } from './malga-frames.ts'

const testMerchant = await openBrowserMerchant()
const fake = await openFakeMalga()
fake.book.manner.bankUrl = COLLECTOR

beforeAll(async () => {
  const { db, company } = testMerchant
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const log = createLogger('silent', { write: () => true })
  const account = { companyId: company.id, provider: 'malga', now: new Date() } as const
  await saveAccount({ db, cipher, log, allowPrivate: true }, { ...account, config: fake.config })
  await chooseProvider(db, { ...account, method: 'credit_card' })
})

async function open() {
  const link = await testMerchant.newLink({ maxInstallments: 3 })
  const { page, context, wrong } = await testMerchant.newPage(PHONE)
  let paymentUrl = ''
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url().includes('/payments/')) paymentUrl = frame.url()
  })
  const confirm = () => {
    fake.authorize([...fake.book.charges.keys()].length > 0 ? lastOrder() : '')
    return paymentUrl
  }
  const collected = await serveMalga(context, { confirm })
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto(link.url)
  return { link, page, sent, wrong, collected }
}

function lastOrder() {
  return [...fake.book.charges.values()].at(-1)!.orderId
}

/** Chromium now and then drops a key into another process's frame; a person does it again. */
async function type(page: Page, title: string, text: string) {
  const field = page.frameLocator(`iframe[title="${title}"]`).getByLabel('field')
  await expect
    .poll(async () => {
      await field.fill('')
      await field.pressSequentially(text)
      return field.inputValue()
    })
    .toBe(text)
}

async function typeCard(page: Page, number: string) {
  await page.getByText('Cartão de crédito').click()
  await type(page, 'Número do cartão', number)
  await type(page, 'Nome impresso no cartão', 'MARIA SILVA')
  await type(page, 'Validade', '0730')
  await type(page, 'Código de segurança', '123')
}

async function typeAddress(page: Page) {
  await page.getByLabel('CEP').fill('01310930')
  await page.getByLabel('Rua ou avenida').fill('Avenida Paulista')
  await page.getByLabel('Número', { exact: true }).fill('2100')
  await page.getByLabel('Cidade').fill('São Paulo')
  await page.getByLabel('Estado').fill('são paulo')
}

async function paymentOf(linkId: string) {
  const where = eq(transactions.paymentLinkId, linkId)
  return (await testMerchant.db.select().from(transactions).where(where))[0]
}

/** What went wrong but for requests to Malga and to the bank, which are meant. */
function surprises(wrong: string[]) {
  return wrong.filter(
    (one) => !/^request to https:\/\/[\w-]+\.(malga\.io|cardinalcommerce\.com)$/.test(one),
  )
}

test('a card typed into the frames is put right and paid, its device collected, and nothing of it is left', async () => {
  const { link, page, sent, wrong, collected } = await open()
  await fillPayer(page)
  await typeCard(page, '4242424242424242')
  const violations = await findAxeViolations(page)

  await getPayButton(page).click()
  await page.locator('#problems a').first().waitFor()
  const missing = await page.locator('#problems li').allTextContents()
  await typeAddress(page)
  await type(page, 'Número do cartão', '4242')
  await getPayButton(page).click()
  await page.getByText('Confira o número do cartão.').first().waitFor()
  await type(page, 'Número do cartão', '4242424242424242')
  await getPayButton(page).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(violations).toEqual([])
  expect(missing).toHaveLength(5)
  expect(await paymentOf(link.id)).toMatchObject({
    ...{ status: 'approved', provider: 'malga', cardBrand: 'visa', cardLast4: '9339' },
  })
  expect(collected).toEqual([expect.stringMatching(/^JWT=jwt-of-/)])
  expect(sent.join('\n')).not.toContain('4242424242424242')
  expect(await page.evaluate(() => sessionStorage.getItem('malga-card'))).toBeNull()
  expect(surprises(wrong)).toEqual([])
})

test('a bank that asks takes the place of the page, and leads back to the receipt', async () => {
  const { link, page, wrong } = await open()
  await fillPayer(page)
  await typeCard(page, '4000000000003220')
  await typeAddress(page)
  await getPayButton(page).click()

  await page.getByRole('button', { name: 'Confirmar no meu banco' }).click()
  await page.getByRole('link', { name: 'Aprovar' }).click()
  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()

  expect(await paymentOf(link.id)).toMatchObject({ status: 'approved', threeDsFlow: 'challenge' })
  expect(surprises(wrong)).toEqual([])
})
