// Creates and reads charges at Woovi, each with our payment's id (`correlationID`), so that a repeated request charges
// once. A received Pix counts even if the charge's status says otherwise, so that none is lost.

import { equalsIgnoringCase } from '../answers.ts'
import { deriveCallId, PIX_CHARGE_LIMIT_MS, rethrowAsUnknown } from '../call.ts'
import {
  type CancelOptions,
  type Charge,
  type ChargeKey,
  type ChargeOutcome,
  ProviderDown,
} from '../provider.ts'
import { isRequestRefused, ProviderRefusal } from '../refusal.ts'
import type { OpenPixClient } from './client.ts'
import { isMissing } from './errors.ts'
import { listReceived, toOpenPixApproval } from './receipts.ts'
import { isRefundOpen, listChargeRefunds, refundOpenPixCharge } from './refunds.ts'
import {
  type AnsweredCharge,
  AnyResponse,
  ChargeResponse,
  type OpenPixCharge,
} from './responses.ts'

/** Woovi's shortest expiry; a payment after our own expiry is reported as late. */
const MIN_EXPIRY_S = 300
const MAX_COMMENT_LENGTH = 140
const BR_CODE_PATTERN = /^000201\P{Cc}{14,506}$/u

type PixCharge = Charge & { method: 'pix' }
type ChargeBody = ReturnType<typeof buildChargeBody>

export async function createOpenPixCharge(
  client: OpenPixClient,
  charge: PixCharge,
  now: Date,
): Promise<ChargeOutcome> {
  const made = await postOrFindCharge(client, buildChargeBody(charge, now))
  const { value } = made
  if (value !== charge.totalCents) throw buildMismatchError(charge.transactionId, `${value} cents`)
  if (made.status !== 'ACTIVE') return rethrowAsUnknown(toOpenPixOutcome(client, made, now))
  // Keeps our own expiry, which may be earlier than Woovi's shortest one.
  return { ...toPending(made), expiresAt: charge.expiresAt }
}

export async function findOpenPixCharge(
  client: OpenPixClient,
  { transactionId }: ChargeKey,
  now: Date,
): Promise<ChargeOutcome> {
  const charge = await getCharge(client, transactionId)
  return charge ? toOpenPixOutcome(client, charge, now) : { status: 'unknown' }
}

/** Cancels the charge; money that was paid before is refunded in full. */
export async function cancelOpenPixCharge(
  client: OpenPixClient,
  { transactionId }: ChargeKey,
  { keepsPaid = false }: CancelOptions = {},
): Promise<void> {
  const charge = await getCharge(client, transactionId)
  if (keepsPaid && charge?.status !== 'ACTIVE') return
  if (!charge || (!keepsPaid && (await refundReceived(client, charge)))) return
  if (charge.status === 'COMPLETED') throw buildNoReceiptError(transactionId)
  if (charge.status === 'ACTIVE') await removeCharge(client, transactionId, keepsPaid)
}

async function removeCharge(client: OpenPixClient, transactionId: string, keepsPaid: boolean) {
  try {
    await client.call(AnyResponse, { method: 'DELETE', path: buildChargePath(transactionId) })
  } catch (error) {
    if (!isRequestRefused(error)) throw error
    if (keepsPaid) return
    // The charge may have been deleted, paid or expired meanwhile.
    const charge = await getCharge(client, transactionId)
    if (!charge || (await refundReceived(client, charge)) || charge.status === 'EXPIRED') return
    throw error
  }
}

/** Refunds what is left of the received money, once. Returns whether money had come in. */
async function refundReceived(client: OpenPixClient, charge: OpenPixCharge) {
  const { received } = await listReceived(client, charge)
  if (received.length === 0) return false
  const { correlationID: transactionId } = charge
  const refunds = await listChargeRefunds(client, transactionId)
  const gone = refunds.filter(isRefundOpen).reduce((cents, { value }) => cents + (value ?? 0), 0)
  const left = received.reduce((total, { amountCents }) => total + amountCents, 0) - gone
  if (left <= 0) return true
  const refundId = deriveCallId(transactionId, 'void')
  const request = { refundId, transactionId, amountCents: left, isFirst: true }
  const outcome = await refundOpenPixCharge(client, request)
  if (outcome.status === 'failed' || outcome.status === 'unconfirmed') {
    throw new Error(`Woovi did not give ${transactionId} back: ${outcome.status}`)
  }
  return true
}

function buildChargeBody(charge: PixCharge, now: Date) {
  const { transactionId, totalCents, title, expiresAt, payer } = charge
  const seconds = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000)
  return {
    correlationID: transactionId,
    value: totalCents,
    comment: [...title].slice(0, MAX_COMMENT_LENGTH).join(''),
    expiresIn: Math.max(seconds, MIN_EXPIRY_S),
    ...toCustomer(payer),
  }
}

/** Woovi requires a name with one of tax id and e-mail. */
function toCustomer({ name, taxId, email }: PixCharge['payer']) {
  if (!name || !(taxId || email)) return {}
  return { customer: { name, ...(taxId ? { taxID: taxId } : { email }) } }
}

async function postOrFindCharge(client: OpenPixClient, body: ChargeBody): Promise<OpenPixCharge> {
  const query = { return_existing: 'true' }
  try {
    const limitMs = PIX_CHARGE_LIMIT_MS
    const call = { method: 'POST', path: '/charge', query, body, limitMs } as const
    const { charge } = await client.call(ChargeResponse, call)
    return takeOwnCharge(charge, body.correlationID)
  } catch (error) {
    if (!isRequestRefused(error)) {
      throw error instanceof ProviderRefusal
        ? new ProviderDown(error.message, { cause: error })
        : error
    }
    // It may be refused because it was created before, or because Woovi does not accept the payer's document, which
    // must not keep the payer from getting a code.
    const standing = await rethrowAsUnknown(getCharge(client, body.correlationID))
    if (standing) return standing
    const { customer, ...without } = body
    if (customer) return postOrFindCharge(client, without)
    throw new ProviderDown(error.message, { cause: error })
  }
}

async function getCharge(
  client: OpenPixClient,
  transactionId: string,
): Promise<OpenPixCharge | undefined> {
  try {
    const call = { method: 'GET', path: buildChargePath(transactionId) } as const
    const { charge } = await client.call(ChargeResponse, call)
    return takeOwnCharge(charge, transactionId)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Checks that the charge has our id, and writes the id as we do; the address of the request has it too. */
function takeOwnCharge(charge: AnsweredCharge, id: string): OpenPixCharge {
  const { correlationID } = charge
  if (correlationID && !equalsIgnoringCase(correlationID, id)) {
    throw buildMismatchError(id, correlationID)
  }
  return { ...charge, correlationID: id }
}

async function toOpenPixOutcome(
  client: OpenPixClient,
  charge: OpenPixCharge,
  now: Date,
): Promise<ChargeOutcome> {
  const { correlationID: reference, status } = charge
  const { received, unreadable } = await listReceived(client, charge)
  if (received.length > 0) return toOpenPixApproval(client, charge, received, now)
  if (unreadable || status === 'COMPLETED') {
    return { status: 'unreadable', reference, field: unreadable }
  }
  if (status !== 'ACTIVE' && status !== 'EXPIRED') {
    throw new Error(`Woovi calls ${reference} ${status}`)
  }
  return toPending(charge)
}

/** Also returns an expired code, which may have been paid in its last second. */
function toPending(charge: OpenPixCharge) {
  const { correlationID: reference, brCode } = charge
  if (!brCode || !BR_CODE_PATTERN.test(brCode)) {
    throw new Error(`Woovi gave no BR Code for ${reference}`)
  }
  return {
    status: 'pending' as const,
    reference,
    pixBrCode: brCode,
    expiresAt: getChargeExpiry(charge),
  }
}

function getChargeExpiry({ correlationID, expiresDate, createdAt, expiresIn }: OpenPixCharge) {
  if (expiresDate) return expiresDate
  if (!createdAt || !expiresIn) throw new Error(`Woovi does not say when ${correlationID} expires`)
  return new Date(Date.parse(createdAt) + expiresIn * 1000).toISOString()
}

function buildMismatchError(transactionId: string, what: string) {
  return new Error(`Woovi answered ${transactionId} with another charge: ${what}`)
}

function buildNoReceiptError(transactionId: string) {
  return new Error(`Woovi calls ${transactionId} paid and shows no payment`)
}

function buildChargePath(transactionId: string) {
  return `/charge/${encodeURIComponent(transactionId)}`
}
