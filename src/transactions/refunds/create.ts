// Creates a refund: its amount is reserved before the provider is asked, so that pending and finished refunds never
// exceed the paid amount. When several Pix paid, one request becomes one refund for each Pix.

import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import type { Database, Db, Transaction } from '../../database/connect.ts'
import { and, asc, eq, or } from '../../database/drizzle.ts'
import { newId } from '../../database/id.ts'
import { addDelay } from '../../database/instant.ts'
import { refunds } from '../../database/tables.ts'
import { formatBrl } from '../../format.ts'
import { conflictError, notFoundError } from '../../http/errors.ts'
import { loadBooks } from '../apply.ts'
import { sumCents } from '../incoming/amounts.ts'
import { transactionTexts } from '../texts.ts'
import { IN_FLIGHT_MS, lockPayment, type RefundRow, type TransactionRow } from '../transaction.ts'
import { assertAllowance, type RefundAllowance } from './allowance.ts'
import {
  getRefundable,
  type Refundable,
  type RefundPart,
  resolveRefundParts,
  sumSurplus,
} from './refundable.ts'
import { buildRefund } from './request.ts'

export type RequestedRefund = {
  id: string
  companyId: string
  transactionId: string
  /** When absent, all that is left; for one Pix, its surplus if it has one. */
  amountCents?: number | null | undefined
  /** The Pix to refund; any of them when absent. */
  incomingPaymentId?: string | null | undefined
  reason?: string | null | undefined
  /** Whether the payment was held when the refund was asked for; otherwise it is refused (409). Any when absent. */
  isHeld?: boolean | undefined
  /** The surplus that was to go back first when the refund was asked for, with the same rule. */
  surplusCents?: number | undefined
  /** The user who requests it, for the audit log. */
  requestedBy?: Pick<NewAuditEntry, 'actor' | 'userId' | 'address'>
  /** When absent, there is no limit. */
  allowance?: RefundAllowance | undefined
}

/** `existing`: an earlier request with this id created it, and carries it out. */
type CreateRefundsResult =
  | { kind: 'created'; refunds: RefundRow[]; payment: TransactionRow }
  | { kind: 'existing'; refunds: RefundRow[] }

/** Reserves the amounts. */
export async function createRefunds(
  db: Database,
  requested: RequestedRefund,
  now: Date,
): Promise<CreateRefundsResult> {
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, requested)
    const known = await listRefundsOfRequest(tx, requested)
    if (known.length > 0) return { kind: 'existing', refunds: known }
    const parts = planRefund(await loadRefundable(tx, payment, now), requested)
    const amountCents = sumCents(parts.map((part) => part.amountCents))
    if (requested.allowance) await assertAllowance(tx, requested.allowance, amountCents)

    const created = buildRefunds(requested, parts, now)
    await tx.insert(refunds).values(created)
    if (requested.requestedBy)
      await recordAudit(tx, toRefundAuditEntry(requested, requested.requestedBy, amountCents, now))
    return { kind: 'created', refunds: created, payment }
  })
}

/** Splits the request over the payment's money; throws when it cannot be refunded. */
export function planRefund(
  refundable: Refundable,
  requested: Pick<RequestedRefund, 'amountCents' | 'incomingPaymentId' | 'isHeld' | 'surplusCents'>,
) {
  if (refundable.kind === 'refused') throw conflictError(refundable.code, refundable.message)
  const { isHeld = refundable.isHeld, incomingPaymentId } = requested
  const surplusNow = sumSurplus(refundable.sources, incomingPaymentId)
  const { surplusCents = surplusNow } = requested
  if (isHeld !== refundable.isHeld || surplusCents !== surplusNow)
    throw conflictError('changed_meanwhile', transactionTexts.changedMeanwhile)
  return resolveRefundParts(refundable, requested)
}

export async function loadRefundable(db: Db, payment: TransactionRow, now: Date) {
  return getRefundable(await loadBooks(db, payment), now)
}

/** In the order of creation; throws 404 when the id belongs to another payment. */
async function listRefundsOfRequest(tx: Transaction, { id, transactionId }: RequestedRefund) {
  const known = await tx
    .select()
    .from(refunds)
    .where(
      or(
        eq(refunds.id, id),
        and(eq(refunds.transactionId, transactionId), eq(refunds.requestId, id)),
      ),
    )
    .orderBy(asc(refunds.id))
  const isOther = known.some((refund) => refund.transactionId !== transactionId)
  if (isOther) throw notFoundError(transactionTexts.notFound)
  return known
}

/** Builds the pending refunds of a request, one for each part. */
export function buildRefunds(
  { id, companyId, transactionId, reason }: RequestedRefund,
  parts: readonly RefundPart[],
  now: Date,
): RefundRow[] {
  const requestId = parts.length > 1 ? id : null
  const checkAt = addDelay(now, IN_FLIGHT_MS)
  return parts.map((part, i) => ({
    ...buildRefund({ companyId, transactionId, ...part, reason: reason || null }, now),
    ...{ id: i === 0 ? id : newId(), requestId, checkAt },
  }))
}

function toRefundAuditEntry(
  { companyId, transactionId }: RequestedRefund,
  by: NonNullable<RequestedRefund['requestedBy']>,
  amountCents: number,
  now: Date,
): NewAuditEntry {
  const subject = { subjectId: transactionId, subject: formatBrl(amountCents) }
  return { ...by, ...subject, companyId, action: 'refund_asked', now }
}
