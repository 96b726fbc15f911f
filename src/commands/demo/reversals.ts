// What takes money back in the demonstration: refunds, and what payers contest.
import { v7 } from 'uuid'
import { DAY_MS } from '../../database/instant.ts'
import type { DisputeRow } from '../../transactions/disputes/serialize.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'

const RESPONSE_DAYS = 9

export function buildDemoRefund(
  { id: transactionId, companyId }: TransactionRow,
  at: Date,
  { amountCents, reason }: { amountCents: number; reason: string },
): RefundRow {
  const createdAt = at.toISOString()
  return {
    ...{ id: v7({ msecs: at.getTime() }), companyId, transactionId, amountCents, reason },
    ...{ status: 'succeeded', failureReason: null },
    ...{ providerReference: null, incomingPaymentId: null, orderId: null },
    ...{ missingSince: null, checkAt: null, checks: 0 },
    ...{ createdAt, updatedAt: createdAt },
  }
}

/** Of all that was paid; at `at` it was opened, or lost after a while. */
export function buildDemoDispute(
  { id: transactionId, companyId, method, totalCents: amountCents }: TransactionRow,
  at: Date,
  status: 'open' | 'lost',
): DisputeRow {
  const isOpen = status === 'open'
  const openedAt = new Date(at.getTime() - (isOpen ? 0 : DAY_MS / 2)).toISOString()
  const updatedAt = at.toISOString()
  return {
    ...{ id: v7({ msecs: Date.parse(openedAt) }), companyId, transactionId, amountCents, status },
    ...{ incomingPaymentId: null, providerReference: `sbx_${transactionId}` },
    kind: method === 'pix' ? 'med' : 'card',
    reason: method === 'pix' ? 'MED_FRAUDE' : null,
    ...{ reportedOpenedAt: null, reportedClosedAt: null },
    ...{ openedAt, closedAt: isOpen ? null : updatedAt, createdAt: openedAt, updatedAt },
    respondBy: new Date(at.getTime() + RESPONSE_DAYS * DAY_MS).toISOString(),
  }
}
