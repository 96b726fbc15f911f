// A payer who has lost the page of the payment gets the receipt once more, at the address that was given with it.
import { expect, test } from 'vitest'
import { and, eq } from '../../../src/database/drizzle.ts'
import { newToken } from '../../../src/database/id.ts'
import { mails } from '../../../src/database/tables.ts'
import {
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { app, db } = testApp
const { newLink, pay, editLink, editCompany } = openCheckout(testApp)

const SENT = 'Confira seu e-mail'

/** A link that was paid by somebody of the company itself: in the test environment no other person is written to. */
async function newPaidLink(more: object = {}) {
  const company = await testApp.newCompany()
  const email = `${newToken()}@example.com`.toLowerCase()
  await writeUser(db, { companyId: company.id, email, role: 'owner' })
  const link = await newLink({ maxPayments: 1 }, company)
  const { row } = await pay(link, { ...buildTestCard('ok'), email, ...more })
  return { link, email, taxId: row.payerTaxId!, companyId: company.id, company, row }
}

function ask({ slug }: TestLink, payer: string, browser = openPayerBrowser(app)) {
  return browser.post(`/pagar/${slug}/receipt`, { payer })
}

const isReceiptTo = (email: string) =>
  and(eq(mails.template, 'receipt'), eq(mails.recipient, email))

async function countReceipts(email: string) {
  return db.$count(mails, isReceiptTo(email))
}

async function listReceipts(email: string) {
  return db.select().from(mails).where(isReceiptTo(email)).orderBy(mails.id)
}

test('a link that was paid leads to its receipt, by e-mail or by document, as they are pasted', async () => {
  const { link, email, taxId } = await newPaidLink()
  const page = await openPayerBrowser(app).get(`/pagar/${link.slug}`)
  const before = await countReceipts(email)

  const form = await openPayerBrowser(app).get(`/pagar/${link.slug}/receipt`)
  const byEmail = await ask(link, `<${email.toUpperCase()}>`)
  const byDocument = await ask(link, `CPF: ${taxId}`)

  expect(page.statusCode).toBe(410)
  expect(page.body).toContain(`href="/pagar/${link.slug}/receipt"`)
  expect(readPageText(form.body)).toContain('E-mail ou CPF/CNPJ')
  expect(readPageText(byEmail.body)).toContain(SENT)
  expect(readPageText(byDocument.body)).toContain(SENT)
  expect([before, await countReceipts(email)]).toEqual([1, 3])
})

test('a document that is typed without its leading zeros leads to the receipt too', async () => {
  const { link, email } = await newPaidLink({ taxId: '012.345.678-90' })

  await ask(link, '1234567890')

  expect(await countReceipts(email)).toBe(2)
})

test('a person who names no payer gets the same answer as a payer', async () => {
  const { link, email } = await newPaidLink()

  const known = await ask(link, email)
  const unknown = await ask(link, 'ninguem@example.com')
  const noDocument = await ask(link, '12.ABC.345/01DE-35')

  expect([unknown.statusCode, noDocument.statusCode]).toEqual([200, 200])
  expect(unknown.body).toBe(known.body)
  expect(noDocument.body).toBe(known.body)
})

test('an entry that names no payer is asked for again', async () => {
  const { link } = await newPaidLink()

  for (const payer of ['', 'maria', '529.982.247-26']) {
    const { statusCode, body } = await ask(link, payer)

    expect(statusCode).toBe(422)
    expect(readPageText(body)).toContain('Informe um e-mail ou um CPF/CNPJ válido.')
    expect(body).toContain(`name="payer" value="${payer}"`)
  }
})

test('one network asks five times in ten minutes, and one receipt is sent twice in an hour', async () => {
  const { link, email } = await newPaidLink()
  const browser = openPayerBrowser(app)

  for (let times = 0; times < 5; times++) await ask(link, email, browser)
  const sixth = await ask(link, email, browser)
  await ask(link, email)

  expect(sixth.statusCode).toBe(429)
  expect(readPageText(sixth.body)).toContain('Aguarde dez minutos e tente novamente.')
  expect(sixth.body).toContain(`name="payer" value="${email}"`)
  expect(await countReceipts(email)).toBe(1 + 2)
})

test('what was not paid has no receipt', async () => {
  const link = await newLink()
  const { row } = await pay(link, buildTestCard('generic'))
  await editLink(link.id, { status: 'inactive' })

  const { statusCode } = await ask(link, row.payerEmail!)

  expect(statusCode).toBe(200)
  expect(await countReceipts(row.payerEmail!)).toBe(0)
})

test('after a refund the receipt says what went back, and of what went back whole there is none', async () => {
  const { link, email, company, row } = await newPaidLink()
  const refund = (amountCents: number) =>
    app.inject({
      method: 'POST',
      url: `/api/transactions/${row.id}/refunds`,
      headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': `${amountCents}` },
      payload: { amountCents },
    })

  await refund(2_500)
  await ask(link, email)
  const afterPart = await listReceipts(email)
  await refund(7_500)
  await ask(link, email)

  expect(afterPart.map(({ data }) => data)).toMatchObject([
    { totalCents: 10_000, refundedCents: 0 },
    { totalCents: 10_000, refundedCents: 2_500 },
  ])
  expect(await countReceipts(email)).toBe(2)
})

test('where the company sends no receipts the document is not asked for', async () => {
  const { link, companyId } = await newPaidLink()
  await editCompany(companyId, { mailReceipts: false })

  const page = await openPayerBrowser(app).get(`/pagar/${link.slug}`)

  expect(page.body).not.toContain(`/pagar/${link.slug}/receipt`)
  expect((await openPayerBrowser(app).get(`/pagar/${link.slug}/receipt`)).statusCode).toBe(404)
})
