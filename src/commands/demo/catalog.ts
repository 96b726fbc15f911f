// The links of the demonstration's shop, and which of them can be paid when.
import { v7 } from 'uuid'
import type { Transaction } from '../../database/connect.ts'
import { newSlug } from '../../database/id.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { paymentLinks } from '../../database/tables.ts'
import { completeLink } from '../../payment-links/payment-link.ts'
import { emitLinkEvent, type Ledger, type LedgerEntry } from './ledger.ts'
import { PRODUCTS, type Product } from './products.ts'
import type { SeededRandom } from './random.ts'

/** When the first links were made. */
const OPENED_DAYS_AGO = 92
const CLOSED_DAYS_AGO = 30

export type Catalog = Awaited<ReturnType<typeof createCatalog>>

export async function createCatalog(tx: Transaction, ledger: Ledger, companyId: string, now: Date) {
  const rows = PRODUCTS.map((product, i) => buildLinkRow(product, companyId, i, now))
  const links = await tx.insert(paymentLinks).values(rows).returning()
  const items = links.map((link, i) => {
    const { weight, options } = PRODUCTS[i]!
    const { expiresAt } = link
    if (expiresAt) emitLinkEvent(ledger, link, 'payment_link.expired', new Date(expiresAt))
    return { link, weight, paid: 0, until: getClosedAt(options, now) ?? '9999' }
  })
  return { links, pickLink, recordPayment }

  /** One that can be paid then. */
  function pickLink(random: SeededRandom, at: Date) {
    const instant = at.toISOString()
    const open = items.filter(({ link, until }) => link.createdAt < instant && instant < until)
    return random.weighted(open.map(({ link, weight }) => [link, weight] as const))
  }

  /** The last payment that a link takes completes it. */
  async function recordPayment({ row, link }: LedgerEntry) {
    const item = items.find((one) => one.link === link)!
    item.paid++
    if (item.paid !== link.maxPayments) return
    item.until = row.createdAt
    const at = new Date(row.approvedAt!)
    await completeLink(tx, link.id, at)
    emitLinkEvent(ledger, link, 'payment_link.completed', at)
  }
}

function buildLinkRow(product: Product, companyId: string, i: number, now: Date) {
  const { title, amountCents, tags, options } = product
  const { madeDaysAgo = OPENED_DAYS_AGO, expiredDaysAgo, ...given } = options
  const at = new Date(now.getTime() - madeDaysAgo * DAY_MS + i * 7 * MINUTE_MS)
  const closedAt = getClosedAt(options, now)
  const expiresAt = expiredDaysAgo === undefined ? null : closedAt
  const row: typeof paymentLinks.$inferInsert = {
    id: v7({ msecs: at.getTime() }),
    ...{ companyId, slug: newSlug(), title, amountCents, tags, metadata: {} },
    ...{ methods: ['pix', 'credit_card'], maxInstallments: 1, interestMode: 'absorb' },
    ...{ status: 'active', ...given },
    ...{ expiresAt, expiryToldFor: expiresAt },
    createdAt: at.toISOString(),
    updatedAt: (given.status && closedAt) ?? at.toISOString(),
  }
  return row
}

/** Undefined for a link that is open to this day. */
function getClosedAt({ status, expiredDaysAgo }: Product['options'], now: Date) {
  const daysAgo = status ? CLOSED_DAYS_AGO : expiredDaysAgo
  return daysAgo === undefined
    ? undefined
    : new Date(now.getTime() - daysAgo * DAY_MS).toISOString()
}
