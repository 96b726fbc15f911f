// Tells which of a charge's refunds at a provider is ours, where the provider does not know them by our id.
import type { RefundKey, RefundOutcome, RefundRequest } from './provider.ts'

/** Without those of others; of what was made at the provider only the sum is known, and it is the oldest. */
export function listOwnRefunds<Refund extends { id: string; amount?: number | null | undefined }>(
  refunds: Refund[],
  { earlier, laterReferences }: Pick<RefundKey, 'earlier' | 'laterReferences'>,
) {
  const others = [...earlier.map(({ reference }) => reference), ...laterReferences]
  const unnamed = refunds.filter(({ id }) => !others.includes(id))
  const madeThere = earlier.filter(({ reference, isDone }) => isDone && reference === null)
  let rest = madeThere.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return unnamed.filter(({ amount }) => {
    if (amount == null || amount > rest) return true
    rest -= amount
    return false
  })
}

/** Nothing is to be asked of a charge that is not to be read, or of which nothing is left. */
export function toUnsentOutcome({ isFirst }: RefundRequest): RefundOutcome {
  return isFirst ? { status: 'failed', reason: 'refused' } : { status: 'unknown' }
}
