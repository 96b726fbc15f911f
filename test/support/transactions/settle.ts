// Applies a provider's answer about a payment as the service does, and returns the result.
import type { Database } from '../../../src/database/connect.ts'
import type { ChargeOutcome } from '../../../src/providers/provider.ts'
import { applyFact } from '../../../src/transactions/apply.ts'
import type { Fact } from '../../../src/transactions/books.ts'
import type { PublishContext } from '../../../src/transactions/needs.ts'
import type { VerdictSource } from '../../../src/transactions/steps.ts'
import type { TransactionRow } from '../../../src/transactions/transaction.ts'

/** The provider's word, or our own clock's. */
export type Verdict =
  | Extract<ChargeOutcome, { status: 'approved' | 'declined' }>
  | { status: 'expired' }
  | { status: 'canceled' }

type Settled = Record<'payment', TransactionRow> &
  ({ kind: 'settled' } | { kind: 'held' } | { kind: 'booked' } | { kind: 'unchanged' })

type SettleContext = Omit<PublishContext, 'now'> & { now: Date; source?: VerdictSource }

export async function settle(
  db: Database,
  row: TransactionRow,
  verdict: Verdict,
  { source = 'charge', now, ...context }: SettleContext,
): Promise<Settled> {
  const fact = toFact(verdict, source)
  const { books, effects } = await db.transaction((tx) =>
    applyFact(tx, row, fact, { ...context, now: () => now }),
  )
  const { payment } = books
  if (effects.outcome) return { kind: effects.outcome === 'held' ? 'held' : 'settled', payment }
  return { kind: effects.events.length > 0 ? 'booked' : 'unchanged', payment }
}

function toFact(verdict: Verdict, source: VerdictSource): Fact {
  if (verdict.status === 'expired') return { kind: 'time ran out' }
  const outcome = verdict.status === 'canceled' ? { ...verdict, reference: '' } : verdict
  return { kind: 'answer', outcome, source }
}
