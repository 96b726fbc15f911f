// Payers are written to in the language that they paid in, also when money goes back much later.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { LOCALES, type Locale } from '../../src/database/enums.ts'
import { transactions } from '../../src/database/tables.ts'
import type { MailData } from '../../src/mail/data.ts'
import { renderMail } from '../../src/mail/render.ts'
import { paySandboxPix } from '../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { openCheckout, PIX } from '../support/payer.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'
import { openRefunds } from '../support/transactions/refunds.ts'
import { writeUser } from '../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs } = testApp
const { newLink, pay } = openCheckout(testApp)
const { requestRefund } = openRefunds(testApp)

const paid: MailData['receipt'] & MailData['refund'] = {
  transactionId: 't',
  linkTitle: 'Bolo',
  payerName: 'Ana',
  method: 'credit_card',
  amountCents: 123_456,
  totalCents: 148_740,
  refundCents: 5_000,
  refundedCents: 5_000,
  installments: 12,
  installmentCents: 12_395,
  card: { brand: 'visa', last4: '4242' },
  endToEndId: null,
  paidAt: '2026-11-22T15:04:05.000Z',
  receiptUrl: 'https://pay.example.com/a',
  testMode: true,
}
const head = { baseUrl: 'https://vintem.example.com', company: null }

const SAID = {
  pt: [
    '[Teste] Comprovante: R$ 1.487,40 para Vintém',
    '[Teste] Devolução de R$ 50,00 por Vintém',
    'Data e hora: 22/11/2026 às 12:04:05 (horário de Brasília)',
    'Parcelas: 12x de R$ 123,95',
  ],
  en: [
    '[Test] Receipt: R$1,487.40 to Vintém',
    '[Test] Refund of R$50.00 from Vintém',
    'Date and time: 22 Nov 2026, 12:04:05 (Brasília time)',
    'Installments: 12 × R$123.95',
  ],
  es: [
    '[Prueba] Comprobante: R$ 1.487,40 a Vintém',
    '[Prueba] Devolución de R$ 50,00 de Vintém',
    'Fecha y hora: 22/11/2026 a las 12:04:05 (hora de Brasilia)',
    'Cuotas: 12 cuotas de R$ 123,95',
  ],
} satisfies Record<Locale, string[]>

test.each(LOCALES)(
  'in "%s" a receipt and a refund are whole, with the money as it is',
  (locale) => {
    const receipt = renderMail('receipt', { ...paid, locale }, head)
    const refund = renderMail('refund', { ...paid, locale }, head)

    const [received, returned, ...facts] = SAID[locale]
    expect([receipt.subject, refund.subject]).toEqual([received, returned])
    for (const fact of facts) expect(receipt.text).toContain(fact)
    expect(receipt.html).toMatch(new RegExp(`<html lang="${locale}`))
  },
)

test.each([
  ['pt', 'Parcelas: 3x de R$ 33,33 (primeira de R$ 33,34)'],
  ['en', 'Installments: 3 × R$33.33 (first one R$33.34)'],
  ['es', 'Cuotas: 3 cuotas de R$ 33,33 (la primera de R$ 33,34)'],
] as const)('in "%s" the parts of a receipt add up to what was paid', (locale, said) => {
  const uneven = {
    amountCents: 10_000,
    totalCents: 10_000,
    installments: 3,
    installmentCents: 3_333,
  }

  const { text } = renderMail('receipt', { ...paid, ...uneven, locale }, head)

  expect(text).toContain(said)
})

test('who paid in English gets the receipt in English, and the refund; the company Portuguese', async () => {
  const company = await testApp.newCompany()
  const link = await newLink({}, company)
  const email = 'mary@sol.example.com'
  await writeUser(db, { companyId: company.id, email, role: 'member' })
  const { row } = await pay(link, { ...PIX, email })
  await db.update(transactions).set({ locale: 'en' }).where(eq(transactions.id, row.id))
  await paySandboxPix(db, { transactionId: row.id, amountCents: 10_000 }, clock.now())
  await checkPayment(needs, row)
  const smtpServer = await openSmtpServer()

  await requestRefund(company, row.id, { amountCents: 2_500 })
  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const subjects = smtpServer.received
    .filter(({ envelope }) => envelope.to[0] === email)
    .map(({ subject }) => subject)
  expect(subjects.sort()).toEqual([
    '[Test] Receipt: R$100.00 to Padaria Sol',
    '[Test] Refund of R$25.00 from Padaria Sol',
  ])
})
