// In the test environment, where anybody pays and types any address, e-mails go to the company's own people.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { mails } from '../../src/database/tables.ts'
import { queueMail } from '../../src/mail/outbox.ts'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'
import { openRefunds } from '../support/transactions/refunds.ts'
import { writeUser } from '../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs } = testApp
const { newLink, pay, editCompany } = openCheckout(testApp)
const { order } = openRefunds(testApp)

async function openCompany() {
  const company = await testApp.newCompany()
  const owner = `dona-${company.id.slice(-12)}@sol.example.com`
  await writeUser(db, { companyId: company.id, email: owner, role: 'owner' })
  await editCompany(company.id, { noticeEmail: 'caixa@sol.example.com' })
  return { company, owner }
}

test.each([
  ['a stranger', () => 'vitima@example.com', []],
  ['an owner, in other letters', (owner: string) => owner.toUpperCase(), ['receipt', 'refund']],
  ['whom its notices go to', () => 'caixa@sol.example.com', ['receipt', 'refund']],
])('a payer who is %s is sent no more than is told', async (_who, type, sent) => {
  const { company, owner } = await openCompany()
  const link = await newLink({}, company)

  const { row } = await pay(link, { ...buildTestCard('ok'), email: type(owner) })
  await order(company, row.id, { amountCents: 2_500 })

  const told = await db.select().from(mails).where(eq(mails.companyId, company.id))
  const templates = told.map(({ template }) => template).sort()
  expect(templates).toEqual(['payment', ...sent])
})

test('in the real environment every payer is written to', async () => {
  const { company } = await openCompany()
  const data = { transactionId: newId(), linkTitle: 'Bolo', method: 'pix' as const, receiptUrl: '' }
  const sums = { refundCents: 1, refundedCents: 1, totalCents: 1, testMode: false }
  const refund = { template: 'refund', data: { ...data, ...sums } } as const
  const context = { companyId: company.realId, now: clock.now() }

  await queueMail(needs.mail, db, context, { ...refund, recipient: 'maria@example.com' })

  const told = await db.select().from(mails).where(eq(mails.companyId, company.realId))
  expect(told).toMatchObject([{ template: 'refund', recipient: 'maria@example.com' }])
})
