// Refunds of a charge, each with our id (`correlationID`): a repeated request makes no second refund, and a refund is
// found by this id when its answer was lost.
import type { RefundFailure } from '../../database/enums.ts'
import { equalsIgnoringCase } from '../answers.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import { isRequestRefused } from '../refusal.ts'
import type { OpenPixClient } from './client.ts'
import { isMissing } from './errors.ts'
import { type OpenPixRefund, PixRefundResponse, RefundList, RefundResponse } from './responses.ts'
import { openPixTexts } from './texts.ts'

type RefundCall = Pick<RefundRequest, 'refundId' | 'transactionId' | 'amountCents' | 'isFirst'> &
  Partial<Pick<RefundRequest, 'endToEndId'>>

/** Woovi answers all refusals with 400 and a sentence: these are about the money. */
const POOR_PATTERN = /saldo|balance|insuficien|insufficient/i
const TOO_MUCH_PATTERN =
  /(valor|value|amount).*(maior|greater|exceed|excede|superior|dispon|available|higher|bigger)/i

export async function refundOpenPixCharge(
  client: OpenPixClient,
  request: RefundCall,
): Promise<RefundOutcome> {
  const { refundId } = request
  try {
    const call = { method: 'POST', ...buildRefundCall(request) } as const
    const { refund } = await client.call(RefundResponse, call)
    return toRefundOutcome(requireOwnRefund(refund, request), refundId)
  } catch (error) {
    if (!isRequestRefused(error)) throw error
    // A refund that was made before may be refused when it is requested again.
    const standing = await findRefundById(client, request)
    if (standing) return toRefundOutcome(standing, refundId)
    const reason = request.isFirst && findFailureReason(error.detail ?? '')
    return reason ? { status: 'failed', reason } : { status: 'unconfirmed', reference: refundId }
  }
}

/** Woovi refunds a charge: the comment names the Pix that is refunded (receipts.ts). Without a charge the Pix is named. */
function buildRefundCall({ refundId, transactionId, amountCents, endToEndId }: RefundCall) {
  const body = { correlationID: refundId, value: amountCents }
  if (transactionId === null)
    return { path: '/refund', body: { ...body, transactionEndToEndId: endToEndId } }
  const comment = endToEndId && { comment: openPixTexts.refundOf(endToEndId) }
  return { path: buildRefundPath(transactionId), body: { ...body, ...comment } }
}

export async function findOpenPixRefund(
  client: OpenPixClient,
  key: RefundKey,
): Promise<RefundOutcome> {
  const standing = await findRefundById(client, key)
  return standing ? toRefundOutcome(standing, key.refundId) : { status: 'unknown' }
}

/** Lists all refunds of a charge, also those that were made at Woovi. */
export async function listChargeRefunds(
  client: OpenPixClient,
  transactionId: string,
): Promise<OpenPixRefund[]> {
  const call = { method: 'GET', path: buildRefundPath(transactionId) } as const
  try {
    return (await client.call(RefundList, call)).refunds.items
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function findRefundById(
  client: OpenPixClient,
  { transactionId, refundId }: Pick<RefundKey, 'transactionId' | 'refundId'>,
) {
  if (transactionId === null) return findPixRefund(client, refundId)
  const refunds = await listChargeRefunds(client, transactionId)
  return refunds.find(({ correlationID }) => equalsIgnoringCase(correlationID, refundId))
}

/** Finds the refund of a Pix without a charge; by Woovi's own example its status may be missing. */
async function findPixRefund(client: OpenPixClient, refundId: string) {
  const call = { method: 'GET', path: `/refund/${encodeURIComponent(refundId)}` } as const
  try {
    const { pixTransactionRefund: refund } = await client.call(PixRefundResponse, call)
    return { ...refund, status: refund.status ?? 'IN_PROCESSING' }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function requireOwnRefund(refund: OpenPixRefund, { refundId, amountCents }: RefundCall) {
  const { correlationID, value = null } = refund
  const isOwn = equalsIgnoringCase(correlationID, refundId)
  if (isOwn && (value === null || value === amountCents)) return refund
  throw new Error(`Woovi answered ${refundId} with another refund`)
}

function toRefundOutcome({ status, time }: OpenPixRefund, reference: string): RefundOutcome {
  switch (status) {
    case 'IN_PROCESSING':
      return { status: 'processing', reference }
    case 'CONFIRMED':
    case 'REFUNDED':
      return { status: 'succeeded', reference, at: time ?? undefined }
    case 'REJECTED':
    case 'NOT_ACCOMPLISHED':
      return { status: 'failed', reason: 'refused', reference }
    default:
      throw new Error(`Woovi calls the refund ${reference} ${status}`)
  }
}

export function isRefundDone({ status }: OpenPixRefund) {
  return status === 'CONFIRMED' || status === 'REFUNDED'
}

export function isRefundOpen({ status }: OpenPixRefund) {
  return status !== 'REJECTED' && status !== 'NOT_ACCOMPLISHED'
}

/** Undefined for other refusals, such as of a refund that was made before. */
function findFailureReason(said: string): RefundFailure | undefined {
  if (POOR_PATTERN.test(said)) return 'insufficient_balance'
  return TOO_MUCH_PATTERN.test(said) ? 'refused' : undefined
}

function buildRefundPath(transactionId: string) {
  return `/charge/${encodeURIComponent(transactionId)}/refund`
}
