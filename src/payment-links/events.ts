// Emits the events about links.
import type { Transaction } from '../database/connect.ts'
import { and, eq, inArray, orm, type SQL, sql } from '../database/drizzle.ts'
import type { EventType } from '../database/enums.ts'
import { companies, IS_EXPIRY_PENDING, paymentLinks } from '../database/tables.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { completeLink, type LinkRow } from './payment-link.ts'
import { toLinkEventData } from './serialize.ts'

type LinkEventType = Extract<EventType, `payment_link.${string}`>

type NewLinkEvent = {
  /** Absent: a new one. */
  id?: string
  link: LinkRow
  type: LinkEventType
  testMode: boolean
  now: Date
  /** What the event tells beside the link. */
  more?: Record<string, unknown>
}

export async function emitLinkEvent(tx: Transaction, { link, more, ...event }: NewLinkEvent) {
  const data = { paymentLink: toLinkEventData(link), ...more }
  await recordEvent(tx, { companyId: link.companyId, ...event, data })
}

/**
 * Emits `payment_link.expired` for those of these links that have expired by `now`, once each. Must run before a link
 * is changed, since a changed link may no longer show that it had expired.
 */
export async function emitPassedExpiries(tx: Transaction, linkIds: string[], now: Date) {
  const isPassed = sql`expires_at <= ${now.toISOString()}::timestamptz and ${IS_EXPIRY_PENDING}`
  await emitExpiries(tx, and(inArray(paymentLinks.id, linkIds), isPassed), now)
}

/** Emits `payment_link.expired` for these links, which have expired, and returns their number. */
export async function emitExpiries(tx: Transaction, which: SQL | undefined, now: Date) {
  const claimed = await tx
    .update(paymentLinks)
    .set({ expiryEmittedFor: sql`expires_at` })
    .where(which)
    .returning({ id: paymentLinks.id })
  if (claimed.length === 0) return 0
  const ids = claimed.map(({ id }) => id)
  const expired = await tx
    .select({ link: orm.getTableColumns(paymentLinks), testMode: companies.testMode })
    .from(paymentLinks)
    .innerJoin(companies, eq(companies.id, paymentLinks.companyId))
    .where(inArray(paymentLinks.id, ids))
    .orderBy(paymentLinks.expiresAt)
  for (const { link, testMode } of expired) {
    await emitLinkEvent(tx, { link, type: 'payment_link.expired', testMode, now })
  }
  return expired.length
}

export async function completeSoldOutLink(
  tx: Transaction,
  linkId: string,
  { testMode, now }: { testMode: boolean; now: Date },
) {
  await emitPassedExpiries(tx, [linkId], now)
  const completed = await completeLink(tx, linkId, now)
  if (completed.kind !== 'completed') return
  const { link } = completed
  await emitLinkEvent(tx, { link, type: 'payment_link.completed', testMode, now })
}
