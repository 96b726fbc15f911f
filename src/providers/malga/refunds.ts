// Refunds through Malga: `void` of a part or of the whole charge. Malga lists each refund with Malga's own id and with
// an idempotency key. Some accounts list our key; in other accounts a refund is recognized by its amount. A repeated
// request with the same key refunds once.
import type { JsonClient } from '../json-client.ts'
import { listOwnRefunds, toUnsentOutcome } from '../named-charges.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import { type ChargeClient, readRefusal } from './charges.ts'
import { listVoids } from './outcome.ts'
import type { AcquirerCall, MalgaCharge } from './schema.ts'

export async function refundCharge(
  client: JsonClient,
  charges: ChargeClient,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const { refundId, amountCents, isFirst } = request
  const before = await readCharge(charges, request)
  if (!before) return toUnsentOutcome(request)
  const standing = isFirst ? undefined : findVoid(before, request)
  if (standing) return toRefundOutcome(standing)

  const path = `${charges.buildPath(before.id)}/void`
  const { status, body } = await client.send('POST', path, { amount: amountCents }, refundId)
  if (status >= 400) return toRefusedOutcome(request, status, body)
  const known = listVoids(before).map(({ id }) => id)
  const others = { ...request, laterReferences: [...request.laterReferences, ...known] }
  const answered = findVoid(charges.parse(body), others)
  // The answer may lack the refund or repeat an earlier one; the charge has it sooner or later.
  const made = answered ?? findVoid(await charges.read(before.id), request)
  return made ? toRefundOutcome(made) : { status: 'processing', reference: refundId }
}

/** Finds a refund by Malga's id or by our key. An accepted refund without either is recognized by its amount. */
export async function findChargeRefund(
  charges: ChargeClient,
  key: RefundKey,
): Promise<RefundOutcome> {
  const { reference, refundId } = key
  const charge = await readCharge(charges, key)
  if (!charge) return { status: 'unknown' }
  const voids = listVoids(charge)
  const named = voids.find(({ id }) => id === reference) ?? findByKey(voids, refundId)
  const refund = named ?? (reference === refundId ? findVoid(charge, key) : undefined)
  return refund ? toRefundOutcome(refund) : { status: 'unknown' }
}

/** The key names a charge of its own if the payer was charged twice. */
async function readCharge({ read }: ChargeClient, { chargeReference, endToEndId }: RefundKey) {
  const id = endToEndId ?? chargeReference
  return id ? read(id) : undefined
}

function findVoid(charge: MalgaCharge | undefined, key: RefundKey): AcquirerCall | undefined {
  const voids = charge ? listVoids(charge) : []
  const named = findByKey(voids, key.refundId)
  if (named) return named
  const own = listOwnRefunds(voids, key)
  return own.findLast(({ amount }) => amount === key.amountCents)
}

function findByKey(voids: AcquirerCall[], refundId: string) {
  return voids.find(({ idempotencyKey }) => idempotencyKey?.toLowerCase() === refundId)
}

/** A successful answer may contain the acquirer's refusal. If the acquirer did not answer Malga, nothing is known. */
function toRefundOutcome({
  id: reference,
  requestStatus,
  updatedAt,
  createdAt,
}: AcquirerCall): RefundOutcome {
  switch (requestStatus) {
    case 'success':
      return { status: 'succeeded', reference, at: updatedAt ?? createdAt ?? undefined }
    case 'failed':
      return { status: 'failed', reason: 'refused', reference }
    case 'timeout':
    case 'internal_error':
      return { status: 'unconfirmed', reference }
    default:
      return { status: 'processing', reference }
  }
}

/**
 * Malga checks a request before it starts, so that the refusal of a first request is final. After a repeated request, or
 * while another one is in progress, the refund may have been made.
 */
function toRefusedOutcome(
  { isFirst, refundId: reference }: RefundRequest,
  status: number,
  body: unknown,
): RefundOutcome {
  // An answer that is not JSON comes from a gateway, and decides nothing.
  if (body === null) throw new Error(`Malga answered a refund with ${status} alone`)
  if (!isFirst || !readRefusal(status, body)) return { status: 'unconfirmed', reference }
  const isPoor = /insufficient|balance|saldo/i.test(JSON.stringify(body))
  return { status: 'failed', reason: isPoor ? 'insufficient_balance' : 'refused' }
}
