// The history of a payment, as it is and as lines that show order, tone and words at once.
import { loadTimeline } from '../../../src/dashboard/transactions/timeline/timeline.ts'
import type { TransactionRow } from '../../../src/transactions/transaction.ts'
import type { TestApp } from '../test-app.ts'

type PaymentKey = Pick<TransactionRow, 'companyId' | 'id'>

export function openTimeline({ db }: TestApp) {
  async function listEntries({ companyId, id }: PaymentKey) {
    return loadTimeline(db, companyId, id)
  }

  /** `kind tone: text` of each. */
  async function linesOf(payment: PaymentKey) {
    const entries = await listEntries(payment)
    return entries.map(
      ({ kind, tone, text }) => `${kind} ${tone}: ${text.replaceAll('\u00a0', ' ')}`,
    )
  }

  return { listEntries, linesOf }
}
