// Payments of any time in the past, written as they would stand by now.
import { v7 } from 'uuid'
import { eq } from '../../src/database/drizzle.ts'
import { newId, newSlug, newToken } from '../../src/database/id.ts'
import { customers, paymentLinks, transactions } from '../../src/database/tables.ts'
import { bookMovements } from '../../src/movements/book.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import type { TestApp } from './test-app.ts'

type PaymentOverrides = Partial<typeof transactions.$inferInsert>

const BASE_LINK = {
  title: 'Bolo de cenoura',
  amountCents: 10_000,
  methods: ['pix' as const, 'credit_card' as const],
  maxInstallments: 1,
  interestMode: 'absorb' as const,
  status: 'active' as const,
  tags: [],
  metadata: {},
}

export function openPayments({ db, newCompany }: Pick<TestApp, 'db' | 'newCompany'>) {
  /** A company with one link and one customer of its own. */
  async function newMerchant() {
    const { id: companyId } = await newCompany()
    const customerId = newId()
    await db.insert(customers).values({ id: customerId, companyId, name: 'Maria da Silva' })
    const testMerchant = { companyId, customerId, linkId: await addLink({ companyId }) }
    return testMerchant
  }

  async function addLink(company: { companyId: string }, title = BASE_LINK.title) {
    const [id] = await addLinks(company, [title])
    return id!
  }

  async function addLinks({ companyId }: { companyId: string }, titles: string[]) {
    const rows = titles.map((title) => {
      return { ...BASE_LINK, id: newId(), companyId, title, slug: newSlug() }
    })
    await db.insert(paymentLinks).values(rows)
    return rows.map(({ id }) => id)
  }

  /** Approved at `at` by Pix, in test mode, R$ 100,00, unless told otherwise. */
  async function addPayment(testMerchant: TestMerchant, at: string, more: PaymentOverrides = {}) {
    const [id] = await addPayments(testMerchant, at, [more])
    return id!
  }

  async function addPayments(testMerchant: TestMerchant, at: string, many: PaymentOverrides[]) {
    const rows = many.map((more) => buildPayment(testMerchant, at, more))
    const ids = rows.map(({ id }) => id)
    await db.insert(transactions).values(rows)
    await bookMovements(db, ids, { bookedAt: null })
    return ids
  }

  /** What has become of it at that instant, in its row and in the book of money. */
  async function changePayment(id: string, at: string, changes: Partial<TransactionRow>) {
    await db
      .update(transactions)
      .set({ ...changes, updatedAt: at })
      .where(eq(transactions.id, id))
    await bookMovements(db, [id], { bookedAt: new Date(at) })
  }

  return { newMerchant, addLink, addLinks, addPayment, addPayments, changePayment }
}

function buildPayment(testMerchant: TestMerchant, at: string, more: PaymentOverrides) {
  const totalCents = more.totalCents ?? 10_000
  return {
    id: v7({ msecs: Date.parse(at) }),
    companyId: testMerchant.companyId,
    customerId: testMerchant.customerId,
    paymentLinkId: testMerchant.linkId,
    attemptToken: newToken(),
    token: newToken(),
    status: 'approved',
    method: 'pix',
    amountCents: totalCents,
    interestCents: 0,
    totalCents,
    installments: 1,
    installmentCents: totalCents,
    interestMode: 'absorb',
    interestRateBps: 0,
    provider: 'sandbox',
    payerName: 'Maria da Silva',
    approvedAt: at,
    testMode: true,
    metadata: {},
    tags: [],
    createdAt: at,
    updatedAt: at,
    ...(more.status === 'charged_back' && {
      chargedBackCents: totalCents - (more.refundedCents ?? 0),
    }),
    ...more,
  } satisfies typeof transactions.$inferInsert
}

export type TestMerchant = { companyId: string; customerId: string; linkId: string }
