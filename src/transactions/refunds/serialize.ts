// How a refund looks to a company: in the API's answers and in webhooks.

import type { RefundRow } from '../transaction.ts'
import type { Refund } from './schema.ts'
import { refundTexts } from './texts.ts'

export function serializeRefund({ failureReason, ...row }: RefundRow, testMode: boolean): Refund {
  const { id, transactionId, amountCents, status, reason, createdAt, updatedAt } = row
  return {
    id,
    transactionId,
    amountCents,
    status,
    reason,
    failureReason: failureReason && refundTexts.failures[failureReason],
    testMode,
    createdAt,
    updatedAt,
  }
}
