// The links of the demonstration's shop, and which of them can be paid when.

import { v7 } from 'uuid'
import type { Company } from '../../companies/company.ts'
import { newSlug } from '../../database/id.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { emitLedgerLinkEvent, type Ledger, type LedgerEntry } from './ledger.ts'
import { PRODUCTS, type Product } from './products.ts'
import type { SeededRandom } from './random.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** When the first links were made. */
const OPENED_DAYS_AGO = 92
const CLOSED_DAYS_AGO = 30

export type Catalog = ReturnType<typeof createCatalog>

type CatalogItem = { link: LinkRow; product: Product; until: number; paid: number }

export function createCatalog(book: Ledger, company: Company, now: Date) {
  const items = PRODUCTS.map((product, i): CatalogItem => {
    const link = buildLinkRow(product, company, getCreatedAt(product, i, now), now)
    return { link, product, until: getClosedAtMs(product, now), paid: 0 }
  })

  /** One that can be paid then. */
  function choose(chance: SeededRandom, at: Date) {
    const open = items.filter(
      ({ link, until }) => link.createdAt < at.toISOString() && at.getTime() < until,
    )
    return chance.weighted(open.map(({ link, product }) => [link, product.weight] as const))
  }

  /** The last payment that a link takes completes it. */
  function countPaid({ row, link }: LedgerEntry) {
    const item = items.find((one) => one.link.id === link.id)!
    item.paid++
    if (item.paid !== link.maxPayments) return
    const at = new Date(row.approvedAt!)
    item.until = Date.parse(row.createdAt)
    item.link = { ...item.link, status: 'completed', updatedAt: at.toISOString() }
    emitLedgerLinkEvent(book, item.link, 'payment_link.completed', at)
  }

  /** As they stand now. */
  function close(): LinkRow[] {
    for (const { link } of items) {
      if (!link.expiryToldFor) continue
      emitLedgerLinkEvent(book, link, 'payment_link.expired', new Date(link.expiryToldFor))
    }
    return items.map(({ link, product, until }) => {
      if (!product.status) return link
      return { ...link, status: product.status, updatedAt: new Date(until).toISOString() }
    })
  }

  return { choose, countPaid, close }
}

function getCreatedAt({ madeDaysAgo = OPENED_DAYS_AGO }: Product, i: number, now: Date) {
  return new Date(now.getTime() - madeDaysAgo * DAY_MS + i * 7 * MINUTE_MS)
}

function getClosedAtMs({ status, expiredDaysAgo }: Product, now: Date) {
  const daysAgo = status ? CLOSED_DAYS_AGO : expiredDaysAgo
  return daysAgo === undefined ? Number.POSITIVE_INFINITY : now.getTime() - daysAgo * DAY_MS
}

function buildLinkRow(product: Product, company: Company, at: Date, now: Date): LinkRow {
  const { title, amountCents, tags, maxPayments = null } = product
  const expired = product.expiredDaysAgo !== undefined
  const expiresAt = expired ? new Date(getClosedAtMs(product, now)).toISOString() : null
  return {
    id: v7({ msecs: at.getTime() }),
    companyId: company.id,
    slug: newSlug(),
    title,
    description: product.description ?? null,
    amountCents,
    methods: product.methods ?? ['pix', 'credit_card'],
    maxInstallments: product.maxInstallments ?? 1,
    interestMode: product.interestMode ?? 'absorb',
    status: 'active',
    tags,
    redirectUrl: null,
    linkedCustomerId: null,
    expiresAt,
    maxPayments,
    externalReference: null,
    metadata: {},
    inactiveMessage: product.inactiveMessage ?? null,
    cardsPausedUntil: null,
    expiryToldFor: expiresAt,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
  }
}
