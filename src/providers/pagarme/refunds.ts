// Refunds through Pagar.me, which does not list them: a charge has only the sum of all refunds. Pagar.me forgets an
// idempotency key after a day, so that the sum is read before a refund is sent again.
import type { JsonClient } from '../json-client.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import { getCanceledCents, getPaidCents, listPaidCharges } from './order.ts'
import type { OrderClient } from './orders.ts'
import { PagarmeCharge, PagarmeProblem } from './schema.ts'

type ReadOrder = OrderClient['read']

/** Statuses of a requested refund that failed. */
const OPERATION_FAILED = /^(ERROR_ON_(REFUNDING|VOIDING|CANCEL\w*)|FAILED|WITH_ERROR)$/
const OWN_PROBLEMS = /amount|valor|already|j[áa]\s|cannot be|n[ãa]o pode/i
const POOR_PATTERN = /saldo|balance|insufici|insuffici/i

export async function refundCharge(
  client: JsonClient,
  read: ReadOrder,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const { refundId, amountCents, isFirst } = request
  const charges = await listCharges(read, request)
  const charge = isFirst ? chooseCharge(charges, request) : findCharge(charges, request)
  if (!charge) return isFirst ? { status: 'failed', reason: 'refused' } : { status: 'unknown' }
  if (!isFirst && isShown(charge, request)) return { status: 'succeeded', reference: refundId }
  const left = getPaidCents(charge) - getCanceledCents(charge)
  if (isFirst && amountCents > left) return { status: 'failed', reason: 'refused' }
  return sendRefund(client, read, charge, request)
}

async function sendRefund(
  client: JsonClient,
  read: ReadOrder,
  charge: PagarmeCharge,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const { refundId: reference, amountCents } = request
  const path = `/charges/${encodeURIComponent(charge.id)}`
  const sent = { amount: amountCents, operation_reference: reference }
  const { status, body } = await client.send('DELETE', path, sent, reference)
  if (status >= 300) return toRefusedOutcome(request, status, body)
  const canceled = PagarmeCharge.safeParse(body).data
  if (canceled && isShown(canceled, request)) return { status: 'succeeded', reference }
  if (OPERATION_FAILED.test(canceled?.last_transaction?.status ?? ''))
    return { status: 'failed', reason: 'refused', reference }
  // The answer may not have the new sum yet.
  const again = (await listCharges(read, request)).find(({ id }) => id === charge.id)
  const isDone = again !== undefined && isShown(again, request)
  return { status: isDone ? 'succeeded' : 'processing', reference }
}

export async function findChargeRefund(read: ReadOrder, key: RefundKey): Promise<RefundOutcome> {
  const charge = findCharge(await listCharges(read, key), key)
  if (!charge) return { status: 'unknown' }
  const { refundId: reference } = key
  if (isShown(charge, key)) return { status: 'succeeded', reference }
  return charge.pending_cancellation ? { status: 'processing', reference } : { status: 'unknown' }
}

/** Refunds what is left of every charge. */
export async function refundWholeOrder(
  client: JsonClient,
  charges: readonly PagarmeCharge[],
  buildKey: (chargeId: string) => string,
) {
  for (const { id } of charges) {
    const path = `/charges/${encodeURIComponent(id)}`
    const { status } = await client.send('DELETE', path, null, buildKey(id))
    // The charge was refunded before.
    const isRefused = [400, 409, 412, 422].includes(status)
    if (status >= 300 && !isRefused) throw new Error(`Pagar.me did not cancel a charge: ${status}`)
  }
}

/** Lists the paid charges that the refund may be of: one, if it names it. */
async function listCharges(read: ReadOrder, { chargeReference, endToEndId }: RefundKey) {
  const order = chargeReference ? await read(chargeReference) : undefined
  const charges = order ? listPaidCharges(order) : []
  return endToEndId === null ? charges : charges.filter(({ id }) => id === endToEndId)
}

/** Returns the first charge with enough left, since a page may have been paid twice. */
function chooseCharge(charges: PagarmeCharge[], { amountCents }: RefundKey) {
  return (
    charges.find((one) => getPaidCents(one) - getCanceledCents(one) >= amountCents) ?? charges[0]
  )
}

/** Returns the charge that shows the refund, or else the charge that it would be sent for. */
function findCharge(charges: PagarmeCharge[], key: RefundKey) {
  return charges.find((charge) => isShown(charge, key)) ?? chooseCharge(charges, key)
}

/** Whether the sum of the charge contains this refund beside all earlier ones, finished or not. */
function isShown(charge: PagarmeCharge, { amountCents, earlier }: RefundKey) {
  const before = earlier.reduce((sum, one) => sum + one.amountCents, 0)
  return getCanceledCents(charge) >= before + amountCents
}

/** Only a first request can be refused because of the refund itself. */
function toRefusedOutcome(
  { isFirst, refundId: reference }: RefundRequest,
  status: number,
  body: unknown,
): RefundOutcome {
  if (status === 423 || status === 424 || body === null)
    throw new Error(`Pagar.me answered a refund with ${status}`)
  const said = JSON.stringify(PagarmeProblem.safeParse(body).data ?? {})
  if (isFirst && POOR_PATTERN.test(said))
    return { status: 'failed', reason: 'insufficient_balance' }
  if (isFirst && status !== 409 && OWN_PROBLEMS.test(said))
    return { status: 'failed', reason: 'refused' }
  return { status: 'unconfirmed', reference }
}
