// A payer who turns from a confirmation at their bank to another way to pay: nobody pays twice by both.
import type { FastifyRequest } from 'fastify'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { giveUpChallenge } from '../../transactions/outcome.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { recallVisit } from '../visit.ts'
import { readAttempts } from '../visit-cookie.ts'

/** Of what this browser began before `paid`; one that was refused leaves the confirmation to be resumed. */
export async function giveUpConfirmations(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  link: LinkRow,
  paid: TransactionRow,
) {
  const others = readAttempts(request, link.slug).filter(({ token }) => token !== paid.attemptToken)
  if (others.length === 0 || paid.status === 'declined') return
  const { made, stateOf } = await recallVisit(request, { db: needs.db, link, now: needs.now() })
  const open = made.filter((row) => row.id < paid.id && stateOf(row) === 'challenge')
  for (const row of open) await giveUpChallenge(needs, row)
}
