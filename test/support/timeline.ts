// The history of a payment, as it is and as lines that show order, tone and words at once.
import { loadTimeline } from '../../src/transactions/timeline/timeline.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import type { House } from './house.ts'

type Payment = Pick<TransactionRow, 'companyId' | 'id'>

export function openTimeline({ db }: House) {
  async function momentsOf({ companyId, id }: Payment) {
    return loadTimeline(db, companyId, id)
  }

  /** `kind tone: text` of each. */
  async function linesOf(payment: Payment) {
    const moments = await momentsOf(payment)
    return moments.map(
      ({ kind, tone, text }) => `${kind} ${tone}: ${text.replaceAll('\u00a0', ' ')}`,
    )
  }

  return { momentsOf, linesOf }
}
