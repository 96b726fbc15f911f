// How much of real money somebody may give back without showing once more who it is: so much in all of a day,
// or of the time since they did.
import type { FastifyRequest } from 'fastify'
import { DAY_MS } from '../../database/instant.ts'
import { formatBrl } from '../../format.ts'
import { type RefundAllowance, sumRequestedRefunds } from '../../transactions/refunds/allowance.ts'
import { getConfirmedUntil } from '../access/step-up.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { queueSecurityNotice } from '../layout/security.ts'

export const REFUND_STEP_UP_CENTS = 100_000

/** With what they have given back so far: many small refunds are a large one. */
export async function exceedsAllowance(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  amountCents: number,
) {
  const allowance = getRefundAllowance(request, now())
  if (!allowance) return false
  return (await sumRequestedRefunds(db, allowance)) + amountCents > allowance.maxCents
}

/** To them and all owners: what was given back in a day is beyond it by now, whether it was shown who did. */
export async function queueLargeRefundNotice(
  needs: DashboardNeeds,
  request: FastifyRequest,
  amountCents: number,
) {
  const { user, company } = request.visitor
  if (company.testMode) return
  const since = new Date(needs.now().getTime() - DAY_MS)
  const cents = await sumRequestedRefunds(needs.db, { userId: user.id, since })
  if (cents <= REFUND_STEP_UP_CENTS) return
  const subject = formatBrl(amountCents)
  await queueSecurityNotice(needs, request, { what: 'refund_asked', subject })
}

/** Undefined while they have just shown it, and of what is no money. */
export function getRefundAllowance(
  request: FastifyRequest,
  now: Date,
): RefundAllowance | undefined {
  const { user, company } = request.visitor
  const confirmedUntil = getConfirmedUntil(request).getTime()
  if (company.testMode || confirmedUntil > now.getTime()) return undefined
  const since = new Date(Math.max(confirmedUntil, now.getTime() - DAY_MS))
  return { userId: user.id, since, maxCents: REFUND_STEP_UP_CENTS }
}
