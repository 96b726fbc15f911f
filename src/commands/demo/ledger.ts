// What the demonstration's payments leave behind: each row as it stands in the end, each event as it
// stood when it was published. The same facts that transactions/ writes, with their time in the past.
import { v7 } from 'uuid'
import type { EventType, StepKind } from '../../database/enums.ts'
import type { events, transactionSteps } from '../../database/tables.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { toLinkEventData } from '../../payment-links/serialize.ts'
import { serializeRefund } from '../../transactions/refunds/serialize.ts'
import { toTransactionEventData } from '../../transactions/serialize.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { newEventId } from '../../webhooks/event-id.ts'

export type EventRow = typeof events.$inferSelect
type StepRow = typeof transactionSteps.$inferInsert

export type Ledger = {
  checkoutUrl: string
  payments: TransactionRow[]
  steps: StepRow[]
  events: EventRow[]
  refunds: RefundRow[]
}

/** A payment with the link that it is of. */
export type LedgerEntry = { row: TransactionRow; link: LinkRow }

export function createLedger(checkoutUrl: string): Ledger {
  return { checkoutUrl, payments: [], steps: [], events: [], refunds: [] }
}

/** From then on the payment is what the changes say; with an event the endpoints hear of it. */
export function updateEntry(
  { checkoutUrl, events }: Ledger,
  { row, link }: LedgerEntry,
  at: Date,
  changes: Partial<TransactionRow>,
  event?: EventType,
  refund?: RefundRow,
) {
  Object.assign(row, { checkAt: null, ...changes, updatedAt: at.toISOString() })
  const more = refund && { refund: serializeRefund(refund) }
  const data = toTransactionEventData(row, link, checkoutUrl, more)
  if (event) events.push(buildEvent(row.companyId, event, at, data))
}

export function addStep(
  { steps }: Ledger,
  { row }: LedgerEntry,
  at: Date,
  kind: StepKind,
  details: StepRow['details'] = {},
) {
  const id = v7({ msecs: at.getTime() })
  steps.push({ id, transactionId: row.id, kind, details, createdAt: at.toISOString() })
}

type RefundOrder = { amountCents: number; reason: string; failed: boolean }

export function addRefund(ledger: Ledger, entry: LedgerEntry, at: Date, order: RefundOrder) {
  const { failed, amountCents, reason } = order
  const { id: transactionId, companyId, totalCents } = entry.row
  const createdAt = at.toISOString()
  const refund: RefundRow = {
    id: v7({ msecs: at.getTime() }),
    ...{ companyId, transactionId, amountCents, reason, createdAt, updatedAt: createdAt },
    status: failed ? 'failed' : 'succeeded',
    failureReason: failed ? 'insufficient_balance' : null,
    ...{
      incomingPaymentId: null,
      orderId: null,
      providerReference: null,
      checkAt: null,
      checks: 0,
    },
  }
  ledger.refunds.push(refund)
  if (failed) return
  const status = amountCents === totalCents ? 'refunded' : 'partially_refunded'
  const changes = { refundedCents: amountCents, status } as const
  updateEntry(ledger, entry, at, changes, 'transaction.refunded', refund)
}

export function emitLinkEvent({ events }: Ledger, link: LinkRow, type: EventType, at: Date) {
  events.push(buildEvent(link.companyId, type, at, { paymentLink: toLinkEventData(link) }))
}

function buildEvent(companyId: string, type: EventType, at: Date, data: object): EventRow {
  const createdAt = at.toISOString()
  const body = JSON.stringify({ type, timestamp: createdAt, testMode: true, data })
  return { id: newEventId(at), companyId, type, body, createdAt }
}
