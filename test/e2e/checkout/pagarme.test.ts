// A card paid at Pagar.me's own page in a browser: another origin, to which no form of ours may lead.
import { beforeAll, expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { transactions } from '../../../src/database/tables.ts'
import { createLogger } from '../../../src/http/log.ts'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { SECRET_KEY } from '../../support/processes/service.ts'
import { openFakePagarme } from '../../support/providers/pagarme/fake.ts'
import { fillPayer, findAxeViolations, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()
const pagarme = await openFakePagarme()

beforeAll(async () => {
  const { db, company } = testMerchant
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const needs = { db, cipher, log: createLogger('silent'), allowPrivate: true }
  const account = { companyId: company.id, provider: 'pagarme', now: new Date() } as const
  await saveAccount(needs, { ...account, config: pagarme.config })
  await chooseProvider(db, { ...account, method: 'credit_card' })
})

test('from the form to Pagar.me and back to the receipt', async () => {
  const link = await testMerchant.newLink({ methods: ['credit_card'] })
  const { page, wrong } = await testMerchant.newPage(PHONE)

  await page.goto(link.url)
  await fillPayer(page)
  await page.getByRole('button', { name: 'Continuar no ambiente seguro de Pagar.me' }).click()
  await page.waitForURL(`${pagarme.url}/page/**`)
  await page.getByRole('button', { name: 'Recusar' }).click()
  await page.getByRole('heading', { name: 'Continue em Pagar.me' }).waitFor()
  const violations = await findAxeViolations(page)
  await page.getByRole('link', { name: 'Continuar para o pagamento' }).click()
  await page.getByRole('button', { name: 'Pagar' }).click()

  await page.getByRole('heading', { name: 'Comprovante de pagamento' }).waitFor()
  const { db } = testMerchant
  const rows = await db.select().from(transactions).where(eq(transactions.paymentLinkId, link.id))
  expect(rows).toMatchObject([{ status: 'approved', cardLast4: '1111' }])
  const others = wrong.filter((one) => one !== `request to ${pagarme.url}`)
  expect([violations, others]).toEqual([[], []])
})
