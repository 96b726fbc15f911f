// Payments that their payer contests with a bank, as the provider tells of them.
//
//   open ──▶ won | lost        won ⇄ lost, should the provider think again; never open again
//
// However often each is told, and in whatever order, each turn of it is written and published once. What was
// lost stands on the payment too: once nothing is left of it, it is `charged_back`.

import type { Database, Transaction } from '../../database/connect.ts'
import { and, eq, ne, or, sql } from '../../database/drizzle.ts'
import type { EventType, TransactionStatus } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { disputes, incomingPayments, transactions } from '../../database/tables.ts'
import { bookMovements } from '../../movements/book.ts'
import { readPaymentLink } from '../../payment-links/payment-link.ts'
import type { ProviderDispute } from '../../providers/provider.ts'
import { recordEvent } from '../../webhooks/events/event.ts'
import { queueDisputeMail } from '../emails.ts'
import { lockPayment, touchPayment } from '../lock.ts'
import type { PublishContext } from '../needs.ts'
import { toTransactionEventData } from '../serialize.ts'
import type { TransactionRow } from '../transaction.ts'
import { type DisputeRow, serializeDispute } from './schema.ts'
import { selectLostCents, updateHeldPayment } from './taken.ts'

/** More than a payer's bank comes up with; what is beyond is not looked at. */
const MAX_REPORTED_DISPUTES = 100

/** What is told anew of one that goes on changes it, and is nobody's news. */
type DisputeTurn = ToldTurn | { kind: 'corrected'; dispute: DisputeRow }

type ToldTurn = {
  kind: 'opened' | 'closed'
  /** As it stood then. */
  dispute: DisputeRow
}

/**
 * The payment as it stands after what the provider tells of its disputes. Disputes, payment, events, their
 * deliveries and e-mails are one database transaction: all or none.
 */
export async function recordDisputes(
  db: Database,
  asked: TransactionRow,
  told: readonly ProviderDispute[],
  context: PublishContext,
): Promise<TransactionRow> {
  if (told.length === 0) return asked
  return db.transaction(async (tx) => {
    const { companyId, id: transactionId } = asked
    const before = await lockPayment(tx, { companyId, transactionId })
    const turns: DisputeTurn[] = []
    for (const one of told.slice(0, MAX_REPORTED_DISPUTES)) {
      turns.push(...(await recordDispute(tx, before, one, context.now)))
    }
    const update = before.approvedAt === null ? updateHeldPayment : updateChargedBack
    const updated = await update(tx, before, context.now)
    await bookMovements(tx, [transactionId], { bookedAt: context.now })
    const isBesideIt = updated === before && turns.length > 0
    const after = isBesideIt ? await touchPayment(tx, before, context.now) : updated
    await publishTurns(tx, { before, after, turns }, context)
    return after
  })
}

/** What is new of it; one that is heard of when it is over already was opened all the same. */
async function recordDispute(
  tx: Transaction,
  payment: TransactionRow,
  told: ProviderDispute,
  now: Date,
): Promise<DisputeTurn[]> {
  const opened = await insertDispute(tx, payment, told, now)
  const [kind, update] =
    told.status === 'open'
      ? (['corrected', updateOpenDispute] as const)
      : (['closed', closeDispute] as const)
  const updated = await update(tx, payment, told, now)
  return [
    ...(opened ? [{ kind: 'opened' as const, dispute: opened }] : []),
    ...(updated ? [{ kind, dispute: updated }] : []),
  ]
}

async function insertDispute(
  tx: Transaction,
  { id: transactionId, companyId }: TransactionRow,
  told: ProviderDispute,
  now: Date,
) {
  const at = now.toISOString()
  const { reference: providerReference, kind, reason, amountCents } = told
  const { openedAt, reportedOpenedAt, respondBy } = told
  const [opened] = await tx
    .insert(disputes)
    .values({
      id: newId(),
      ...{ companyId, transactionId, kind, providerReference, reason, amountCents },
      status: 'open',
      incomingPaymentId: await findIncomingPaymentId(tx, transactionId, told),
      ...{ openedAt, reportedOpenedAt, respondBy, createdAt: at, updatedAt: at },
    })
    .onConflictDoNothing({ target: [disputes.transactionId, disputes.providerReference] })
    .returning()
  return opened
}

async function findIncomingPaymentId(
  tx: Transaction,
  transactionId: string,
  { endToEndId }: ProviderDispute,
) {
  const found = await tx
    .select({ id: incomingPayments.id })
    .from(incomingPayments)
    .where(
      and(
        eq(incomingPayments.transactionId, transactionId),
        endToEndId ? eq(incomingPayments.endToEndId, endToEndId) : undefined,
      ),
    )
    .limit(2)
  // What names no Pix is of the only one there is.
  return found.length === 1 ? requireFound(found[0]).id : null
}

/** Amount, reason and deadline may be told later, or change; what is closed stays closed. */
async function updateOpenDispute(
  tx: Transaction,
  payment: TransactionRow,
  told: ProviderDispute,
  now: Date,
) {
  const { amountCents, reason, respondBy } = told
  const changes = { amountCents, ...(reason && { reason }), ...(respondBy && { respondBy }) }
  const news = sql`(amount_cents, reason, respond_by) is distinct from
    (${amountCents}::int, coalesce(${reason}, reason), coalesce(${respondBy}::timestamptz, respond_by))`
  const [corrected] = await tx
    .update(disputes)
    .set({ ...changes, updatedAt: now.toISOString() })
    .where(and(...isSameDispute(payment, told), eq(disputes.status, 'open'), news))
    .returning()
  return corrected
}

/** Undefined where this was known. */
async function closeDispute(
  tx: Transaction,
  payment: TransactionRow,
  told: ProviderDispute,
  now: Date,
) {
  const { status, amountCents, reason, closedAt, reportedClosedAt = null } = told
  const [closed] = await tx
    .update(disputes)
    .set({
      ...{ status, amountCents, ...(reason && { reason }) },
      ...{ closedAt: closedAt ?? now.toISOString(), reportedClosedAt },
      updatedAt: now.toISOString(),
    })
    .where(and(...isSameDispute(payment, told), ne(disputes.status, status)))
    .returning()
  return closed
}

function isSameDispute({ id }: TransactionRow, { reference }: ProviderDispute) {
  return [eq(disputes.transactionId, id), eq(disputes.providerReference, reference)]
}

/**
 * Writes down what was lost, where that is news. A dispute that was won after all gives the payment its state back.
 */
async function updateChargedBack(tx: Transaction, payment: TransactionRow, now: Date) {
  const lost = sql`(${selectLostCents(payment)})`
  const isLostWhole = sql`(${lost} > 0 and ${lost} >= total_cents - refunded_cents)`
  // Also where a part was lost before, and the rest has gone back since.
  const isNewlyWhole = sql`(status in ('approved', 'partially_refunded') and ${isLostWhole})`
  const [updated] = await tx
    .update(transactions)
    .set({
      chargedBackCents: lost,
      status: sql`case
        when ${isNewlyWhole} then 'charged_back'
        when status <> 'charged_back' or ${isLostWhole} then status
        when refunded_cents = 0 then 'approved'
        when refunded_cents < total_cents then 'partially_refunded'
        else 'refunded' end`,
      updatedAt: now.toISOString(),
    })
    .where(
      and(eq(transactions.id, payment.id), or(sql`charged_back_cents <> ${lost}`, isNewlyWhole)),
    )
    .returning()
  return updated ?? payment
}

/** What disputes make of a payment; the last of one that is held once more. */
const EVENT_BY_STATUS: Partial<Record<TransactionStatus, EventType>> = {
  charged_back: 'transaction.charged_back',
  canceled: 'transaction.canceled',
  expired: 'transaction.held',
}

type PublishedTurns = { before: TransactionRow; after: TransactionRow; turns: DisputeTurn[] }

async function publishTurns(
  tx: Transaction,
  { before, after, turns: all }: PublishedTurns,
  { checkoutUrl, now, mail }: PublishContext,
) {
  const type = before.status === after.status ? undefined : EVENT_BY_STATUS[after.status]
  const turns = all.filter((turn) => turn.kind !== 'corrected')
  if (turns.length === 0 && !type) return
  const { companyId, testMode } = after
  const link = await readPaymentLink(tx, after.paymentLinkId)
  for (const { kind, dispute } of turns) {
    const payment = kind === 'opened' ? { ...before, updatedAt: after.updatedAt } : after
    const more = { dispute: serializeDispute(dispute, testMode) }
    const data = toTransactionEventData(payment, link, checkoutUrl, more)
    await recordEvent(tx, { companyId, type: `dispute.${kind}`, testMode, data, now })
  }
  if (type) {
    const data = toTransactionEventData(after, link, checkoutUrl)
    await recordEvent(tx, { companyId, type, testMode, data, now })
  }
  // Of one that was over when we heard of it, the end alone.
  const last = new Map(turns.map((turn) => [turn.dispute.id, turn.dispute]))
  for (const dispute of last.values()) {
    await queueDisputeMail(mail, tx, { dispute, payment: after, link }, now)
  }
}
