// How a dispute looks to a company: in the API's answers and in webhooks.

import type { disputes } from '../../database/tables.ts'
import type { Dispute } from './schema.ts'

export type DisputeRow = typeof disputes.$inferSelect

export function serializeDispute(row: DisputeRow, testMode: boolean): Dispute {
  const { id, transactionId, kind, status, reason, amountCents } = row
  const { openedAt, closedAt, respondBy, createdAt, updatedAt } = row
  return {
    ...{ id, transactionId, kind, status, reason, amountCents },
    ...{ openedAt, closedAt, respondBy, testMode, createdAt, updatedAt },
  }
}
