// What the demonstration's payments leave behind: rows as they stand in the end, and what was told of them.
import { v7 } from 'uuid'
import type { Company } from '../../companies/company.ts'
import { computePayout } from '../../companies/payout-terms.ts'
import { EVENT_TYPES, type EventType, type StepKind } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { SECOND_MS } from '../../database/instant.ts'
import type { events, transactionSteps } from '../../database/tables.ts'
import type { SandboxChargeRow } from '../../providers/sandbox/outcomes.ts'
import { addDays, toDay } from '../../reports/days.ts'
import type { DisputeRow } from '../../transactions/disputes/serialize.ts'
import type { IncomingPaymentRow } from '../../transactions/incoming/row.ts'
import { serializeRefund } from '../../transactions/refunds/serialize.ts'
import { toTransactionEventData } from '../../transactions/serialize.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { newEventId } from '../../webhooks/event-id.ts'
import type { SeededRandom } from './random.ts'
import { DEMO_PAYOUT_TERMS, type DemoLink } from './shop.ts'
import type { DemoCustomer } from './visitors.ts'

export type EventRow = typeof events.$inferSelect
export type DemoWorld = {
  random: SeededRandom
  company: Company
  checkoutUrl: string
  now: Date
} & {
  links: DemoLink[]
  customers: DemoCustomer[]
}
export type DemoRun = DemoWorld & {
  payments: TransactionRow[]
  steps: (typeof transactionSteps.$inferInsert)[]
  events: EventRow[]
  refunds: RefundRow[]
  disputes: DisputeRow[]
  charges: SandboxChargeRow[]
  incoming: IncomingPaymentRow[]
  /** What has not happened yet. */
  oneTimeEvents: Map<string, number>
}
export type Payment = { row: TransactionRow; link: DemoLink }

/** From then on the payment is what the changes say; of a new status the endpoints hear. */
export function updatePayment(
  run: DemoRun,
  { row, link }: Payment,
  at: Date,
  changes: Partial<TransactionRow>,
  refund?: RefundRow,
) {
  const payout = changes.approvedAt ? toPayoutColumns(row, changes.approvedAt) : {}
  Object.assign(row, { checkAt: null, ...changes, ...payout, updatedAt: at.toISOString() })
  const more = refund && { refund: serializeRefund(refund, row.testMode) }
  const verdict = refund ? 'refunded' : changes.status
  const type = EVENT_TYPES.find((name) => name === `transaction.${verdict}`)
  if (type) emitEvent(run, type, at, toTransactionEventData(row, link.row, run.checkoutUrl, more))
}

function toPayoutColumns(row: TransactionRow, approvedAt: string) {
  const { feeCents, payoutDays, payoutParts } = requireFound(computePayout(DEMO_PAYOUT_TERMS, row))
  const expectedOn = addDays(toDay(approvedAt), payoutDays)
  return { feeCents, feeSource: 'company' as const, expectedOn, payoutParts }
}

export function addStep(
  { steps }: DemoRun,
  { row }: Payment,
  at: Date,
  kind: StepKind,
  details = {},
) {
  const id = v7({ msecs: at.getTime() })
  steps.push({ id, transactionId: row.id, kind, details, createdAt: at.toISOString() })
}

export function emitEvent({ events, company }: DemoRun, type: EventType, at: Date, data: object) {
  const createdAt = at.toISOString()
  const id = newEventId(at)
  const body = JSON.stringify({ id, type, timestamp: createdAt, testMode: true, data })
  // Of the past: in the order of their ids, before all that will be followed.
  events.push({ id, companyId: company.id, type, body, position: 0, createdAt })
}

export const addSeconds = (at: Date, seconds: number) =>
  new Date(at.getTime() + seconds * SECOND_MS)
