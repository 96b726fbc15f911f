// Payments of any time in the past, written as they would stand by now.
import { v7 } from 'uuid'
import { newId, newSlug, newToken } from '../../src/database/id.ts'
import { customers, paymentLinks, transactions } from '../../src/database/tables.ts'
import type { House } from './house.ts'

type Draft = Partial<typeof transactions.$inferInsert>

const LINK = {
  title: 'Bolo de cenoura',
  amountCents: 10_000,
  methods: ['pix' as const, 'credit_card' as const],
  maxInstallments: 1,
  interestMode: 'absorb' as const,
  status: 'active' as const,
  tags: [],
  metadata: {},
}

export function openPayments({ db, newCompany }: Pick<House, 'db' | 'newCompany'>) {
  /** A company with one link and one customer of its own. */
  async function newShop() {
    const { id: companyId } = await newCompany()
    const customerId = newId()
    await db.insert(customers).values({ id: customerId, companyId, name: 'Maria da Silva' })
    const shop = { companyId, customerId, linkId: await addLink({ companyId }) }
    return shop
  }

  async function addLink({ companyId }: { companyId: string }, title = LINK.title) {
    const id = newId()
    await db.insert(paymentLinks).values({ ...LINK, id, companyId, title, slug: newSlug() })
    return id
  }

  /** Approved at `at` by Pix, in test mode, R$ 100,00, unless told otherwise. */
  async function addPayment(shop: Shop, at: string, more: Draft = {}) {
    const id = v7({ msecs: Date.parse(at) })
    const totalCents = more.totalCents ?? 10_000
    await db.insert(transactions).values({
      id,
      companyId: shop.companyId,
      customerId: shop.customerId,
      paymentLinkId: shop.linkId,
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
      ...more,
    })
    return id
  }

  return { newShop, addLink, addPayment }
}

export type Shop = { companyId: string; customerId: string; linkId: string }
