// Reads the outcome of a charge of Malga. The charge's status is the state of the money; its refunds and disputes are
// in the list of Malga's calls to acquirers.

import { MINUTE_MS } from '../../database/instant.ts'
import { type BankStep, formatBankStep, toThreeDs } from '../card.ts'
import type { CardApproval, ChargeOutcome, Decline, ProviderDispute } from '../provider.ts'
import { toDecline } from './decline-codes.ts'
import type { AcquirerCall, MalgaCharge } from './schema.ts'

/** How long a challenge waits for the payer; Malga gives no end. */
const CHALLENGE_MS = 10 * MINUTE_MS

const PAID = /^(authorized|voided|charged_back|refund_pending)$/

type ExpectedCharge = { createdAt: string; totalCents: number }

export function toChargeOutcome(
  charge: MalgaCharge,
  asked: ExpectedCharge,
  now: Date,
): ChargeOutcome {
  const { id: reference } = charge
  switch (charge.status) {
    case 'authorized':
    case 'voided':
    case 'charged_back':
    case 'refund_pending':
      return toApproval(charge, now)
    case 'failed':
      return toFailure(charge)
    case 'canceled':
      return { status: 'canceled', reference }
    case 'pre_authorized':
    case 'capture_pending':
      return { status: 'processing', reference, isPayerDone: true }
    case 'pending':
      return toPendingOutcome(charge, asked, now)
    default:
      return { status: 'processing', reference }
  }
}

/** Returns the paid amount; `amount` is what is left after refunds. */
export function getPaidCents({ amount, originalAmount }: MalgaCharge) {
  return Math.max(amount, originalAmount ?? 0)
}

/** Lists all refunds: finished, in progress and refused ones. */
export function listVoids({ transactionRequests }: MalgaCharge) {
  return transactionRequests.items.filter(({ requestType }) => requestType === 'void')
}

export function isDone({ requestStatus }: AcquirerCall) {
  return requestStatus === 'success'
}

/** Adds the other paid charges with our id. */
export function addPaidCharges(
  first: CardApproval,
  others: readonly MalgaCharge[],
  now: Date,
): CardApproval {
  const paid = others.filter(({ id, status }) => id !== first.reference && PAID.test(status))
  if (paid.length === 0) return first
  const all = [first, ...paid.map((charge) => toApproval(charge, now))]
  const charges = all.map(
    ({ reference: endToEndId, paidCents: amountCents, paidAt, refundedCents = 0, returns }) => {
      return { endToEndId, amountCents, paidAt, refundedCents, ...(returns && { returns }) }
    },
  )
  const disputes = all.flatMap((one) => one.disputes ?? [])
  return { ...first, charges, ...(disputes.length > 0 && { disputes }) }
}

function toApproval(charge: MalgaCharge, now: Date): CardApproval {
  const { id: reference } = charge
  const paidCents = getPaidCents(charge)
  const refundedCents = getRefundedCents(charge, paidCents)
  const disputes = listDisputes(charge, { leftCents: paidCents - refundedCents, now })
  const returns = listVoids(charge).filter(isDone)
  return {
    status: 'approved',
    reference,
    paidCents,
    paidAt: getPaidAt(charge) ?? now.toISOString(),
    refundedCents,
    returns: returns.map(({ id, updatedAt, createdAt }) => ({
      ...{ reference: id, at: updatedAt ?? createdAt ?? undefined },
    })),
    threeDs: readThreeDs(charge),
    ...(disputes.length > 0 && { disputes }),
  }
}

/**
 * Some accounts subtract refunds from the amount, and add a refund again that the acquirer reverted. In other accounts
 * the amount stays, and the finished refunds less the reverted ones count.
 */
function getRefundedCents(charge: MalgaCharge, paidCents: number) {
  if (charge.status === 'voided') return paidCents
  if (charge.amount < paidCents) return paidCents - charge.amount
  const done = charge.transactionRequests.items.filter(isDone)
  const sumOf = (type: string) =>
    done
      .filter(({ requestType }) => requestType === type)
      .reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  return Math.min(Math.max(sumOf('void') - sumOf('revert_void'), 0), paidCents)
}

function getPaidAt({ transactionRequests, createdAt }: MalgaCharge) {
  const paid = transactionRequests.items.find(
    (call) => isDone(call) && /^(authorization|capture)$/.test(call.requestType ?? ''),
  )
  return paid?.updatedAt ?? paid?.createdAt ?? createdAt
}

/** Returns one dispute at most: Malga reports that a charge is disputed, but no amount. */
function listDisputes(
  charge: MalgaCharge,
  { leftCents, now }: { leftCents: number; now: Date },
): ProviderDispute[] {
  const [opened, closed] = ['dispute', 'dispute_closed'].map((type) =>
    charge.transactionRequests.items.find(({ requestType }) => requestType === type),
  )
  // A charge that is charged back has lost all that was left; a dispute that ended without it was won.
  const end = charge.status === 'charged_back' ? charge : closed
  if (!end && !charge.isDispute && !opened) return []
  const changedAt = charge.updatedAt ?? now.toISOString()
  return [
    {
      reference: charge.id,
      kind: 'card',
      endToEndId: charge.id,
      reason: null,
      amountCents: leftCents,
      status: end === charge ? 'lost' : end ? 'won' : 'open',
      openedAt: opened?.createdAt ?? changedAt,
      closedAt: end ? (end.updatedAt ?? changedAt) : null,
      respondBy: null,
    },
  ]
}

function toFailure(charge: MalgaCharge): Decline {
  const { id: reference } = charge
  const refused = findAcquirerError(charge)
  // A charge that failed before any acquirer was asked for the money failed at 3-D Secure.
  const isUnauthenticated = !refused && !charge.transactionRequests.items.some(isMoneyAsked)
  const decline = toDecline({
    reference,
    reason: refused?.declinedCode ?? null,
    abecsCode: refused?.networkDeniedReason,
    unlisted: isUnauthenticated && charge.threeDSecure2 ? 'threeds_failed' : 'generic',
  })
  if (decline.declineCode !== 'threeds_failed') return decline
  return { ...decline, threeDs: { ...readThreeDs(charge), status: 'failed' } }
}

/** Returns the error of the last acquirer that declined the card. */
export function findAcquirerError({ transactionRequests }: MalgaCharge) {
  const refused = transactionRequests.items.filter(({ providerError }) => providerError)
  const byAge = refused.toSorted((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? 1 : -1))
  return byAge[0]?.providerError ?? undefined
}

function isMoneyAsked({ requestType }: AcquirerCall) {
  return /^(pre_)?authorization$/.test(requestType ?? '')
}

function toPendingOutcome(
  charge: MalgaCharge,
  { createdAt }: ExpectedCharge,
  now: Date,
): ChargeOutcome {
  const { id: reference } = charge
  const step = findBankStep(charge)
  if (!step) return { status: 'processing', reference }
  const reportedMs = Date.parse(charge.createdAt ?? '') || now.getTime()
  const since = Math.min(Math.max(reportedMs, Date.parse(createdAt)), now.getTime())
  const expiresAt = new Date(since + CHALLENGE_MS).toISOString()
  // Malga cannot cancel a charge that waits for its payer. A charge that is confirmed after this is voided.
  if (expiresAt <= now.toISOString()) {
    const decline = toDecline({ reference, reason: null, unlisted: 'threeds_failed' })
    return { ...decline, threeDs: { status: 'failed', eci: null, flow: 'challenge' } }
  }
  const challengeUrl = formatBankStep(step)
  return { status: 'awaiting_authentication', reference, challengeUrl, expiresAt }
}

/** Finds the bank's page in either form: of Malga's own 3-D Secure, or of an acquirer's. */
function findBankStep({ threeDSecure2 }: MalgaCharge): BankStep | undefined {
  const { stepUrl, token, url, md, paReq, termUrl } = threeDSecure2?.authData?.response ?? {}
  const address = stepUrl ?? url
  if (!address || URL.parse(address)?.protocol !== 'https:') return undefined
  const named = stepUrl ? { JWT: token } : { MD: md, PaReq: paReq, TermUrl: termUrl }
  const fields = Object.entries(named).flatMap(([name, value]): BankStep['fields'] =>
    value ? [[name, value]] : [],
  )
  return { url: address, fields }
}

/** Only an ECI counts: Malga repeats the requested 3-D Secure in its answer, which proves nothing. */
function readThreeDs({ threeDSecure, threeDSecure2 }: MalgaCharge) {
  const { authData } = threeDSecure2 ?? {}
  const ecis = [threeDSecure?.eci, threeDSecure2?.eci, authData?.eci, authData?.response?.eci]
  const hasStep = Boolean(authData?.response?.stepUrl ?? authData?.response?.url)
  return toThreeDs(ecis, threeDSecure?.flow === 'challenge' || hasStep)
}
