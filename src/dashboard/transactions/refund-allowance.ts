// How much live money a person may refund without confirming their identity again: an amount for each day, or since the
// last confirmation.
import type { FastifyRequest } from 'fastify'
import { DAY_MS } from '../../database/instant.ts'
import { formatBrl } from '../../format.ts'
import { type RefundAllowance, sumRequestedRefunds } from '../../transactions/refunds/allowance.ts'
import { getConfirmedUntil } from '../access/step-up.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { queueSecurityNotice } from '../layout/security.ts'

export const REFUND_STEP_UP_CENTS = 100_000

/** Includes earlier refunds, since many small refunds are a large one. */
export async function exceedsAllowance(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  amountCents: number,
) {
  const allowance = getRefundAllowance(request, now())
  if (!allowance) return false
  return (await sumRequestedRefunds(db, allowance)) + amountCents > allowance.maxCents
}

/** Notifies the person and all owners once the refunds of a day exceed the allowance, even with a confirmation. */
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

/** Undefined just after a confirmation, and for test payments. */
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
