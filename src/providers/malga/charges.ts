// Creates, finds and voids charges. Each has our id as its `orderId` and as its idempotency key, so that it is made once
// and is found even when the answer with its name was lost.

import { toRecord } from '../../http/fields.ts'
import { equalsIgnoringCase, nameUnreadable } from '../answers.ts'
import { deriveCallId, rethrowAsUnknown } from '../call.ts'
import { catchUnavailable, type JsonClient } from '../json-client.ts'
import {
  type CancelOptions,
  type CardCharge,
  type ChargeKey,
  type ChargeOutcome,
  type EnteredCard,
  type LiabilityShift,
  ProviderDown,
  toEnteredCard,
} from '../provider.ts'
import { buildChargeRequest } from './request.ts'
import { ChargeList, MalgaCard, MalgaCharge, MalgaError } from './schema.ts'

/** Malga's words for a call that repeats one which is still being worked on. */
const BUSY_PATTERN = /is processing|same idempotency key/i

/** The payer waits for the answer to the charge, which is known by then. */
const CARD_LIMIT_MS = 2_000

/** Why there is no charge: Malga's word, and whether it is a bank's verdict on the card. */
export type Refusal = { problem: string; declinedCode: string | null }

/** A charge of which some field cannot be read. */
export class UnreadableCharge extends Error {
  override readonly name = 'UnreadableCharge'
  readonly field: string
  private readonly charge: Record<string, unknown>

  constructor(field: string, charge: Record<string, unknown>) {
    super(`A charge of Malga could not be read: ${field}`)
    this.field = field
    this.charge = charge
  }

  /** What it says of this payment all the same; undefined unless it was paid. */
  toOutcome(transactionId: string): ChargeOutcome | undefined {
    const { id, status, orderId } = this.charge
    const isOwn = equalsIgnoringCase(String(orderId), transactionId)
    const isPaid = String(status).toLowerCase() === 'authorized'
    if (!isOwn || !isPaid || typeof id !== 'string') return undefined
    return { status: 'unreadable', reference: id, field: this.field }
  }
}

export function createChargeClient(
  client: JsonClient,
  options: { merchantId: string; liabilityShift: LiabilityShift },
) {
  return {
    ...{ make: createCharge, find: findCharge, read: readCharge, giveUp: giveUpCharge },
    readCard,
  }

  /** The charge, or why there is none. Throws when that is not known. */
  async function createCharge(charge: CardCharge): Promise<MalgaCharge | Refusal> {
    const { transactionId } = charge
    const { status, body } = await client
      .send('POST', '/v1/charges', buildChargeRequest(charge, options), transactionId)
      .catch(catchUnavailable)
    if (status < 300) return parseCharge(client, body)
    const refusal = status === 503 ? undefined : readRefusal(status, body)
    return refusal ?? recoverCharge(status, transactionId)
  }

  async function recoverCharge(status: number, transactionId: string) {
    const charge = await rethrowAsUnknown(searchCharge(transactionId))
    if (charge) return charge
    if (status === 503) throw new ProviderDown('Malga answered 503 and made no charge')
    throw new Error(`Malga answered ${status}, and its charge is not to be found yet`)
  }

  async function findCharge({ reference, transactionId }: ChargeKey) {
    const charge = reference ? await readCharge(reference) : await searchCharge(transactionId)
    if (charge && !equalsIgnoringCase(charge.orderId, transactionId)) {
      throw new Error(`Charge ${charge.id} of Malga is not of payment ${transactionId}`)
    }
    return charge
  }

  async function readCharge(id: string): Promise<MalgaCharge | undefined> {
    const { status, body } = await client.get(buildPath(id))
    // A gateway's, which is no JSON, does not say that there is none.
    if (status === 404 && body !== null) return undefined
    if (status !== 200) throw new Error(`Malga could not read a charge: ${status}`)
    return parseCharge(client, body)
  }

  /** The card that was charged, with the charge or by its id. A charge counts without it too. */
  async function readCard({ paymentSource }: MalgaCharge): Promise<EnteredCard | undefined> {
    const { card, cardId } = paymentSource ?? {}
    if (card || !cardId) return toCard(card ?? {})
    const path = `/v1/cards/${encodeURIComponent(cardId)}`
    const { body } = await client.get(path, undefined, CARD_LIMIT_MS)
    return toCard(MalgaCard.parse(body))
  }

  /** A list that ignores what was asked for tells nothing of charges that it does not show. */
  async function searchCharge(transactionId: string) {
    const { status, body } = await client.get('/v1/charges', { orderId: transactionId })
    if (status !== 200) throw new Error(`Malga could not search its charges: ${status}`)
    const found = ChargeList.parse(body).items.map(toRecord)
    const own = found.filter(({ orderId }) => equalsIgnoringCase(String(orderId), transactionId))
    if (own.length === 0 && found.length > 0) {
      throw new Error('Malga listed other charges than it was asked for')
    }
    const paid = own.find(({ status: one }) => String(one).toLowerCase() !== 'failed')
    const first = paid ?? own[0]
    return first && parseCharge(client, first)
  }

  /** Malga gives no charge up that waits for its payer or for an acquirer. */
  async function giveUpCharge(key: ChargeKey, { keepsPaid = false }: CancelOptions = {}) {
    const charge = await findCharge(key)
    if (!charge) return
    const { id, status } = charge
    if (/^(pending|created)$/.test(status)) throw new Error(`Charge ${id} cannot be canceled yet`)
    const isPaid = status === 'authorized' && !keepsPaid
    if (isPaid || /^(pre_authorized|capture_pending)$/.test(status)) await voidCharge(charge, key)
  }

  /** All that is left of it. */
  async function voidCharge({ id, amount }: MalgaCharge, { transactionId }: ChargeKey) {
    const key = deriveCallId(transactionId, 'void')
    const { status } = await client.send('POST', `${buildPath(id)}/void`, { amount }, key)
    if (status >= 300 && status !== 409) throw new Error(`Malga did not void a charge: ${status}`)
  }
}

function toCard({ brand, last4digits: last4, cardHolderName: holder }: Partial<MalgaCard>) {
  return toEnteredCard({ brand, last4, holder })
}

export function parseCharge(client: JsonClient, body: unknown): MalgaCharge {
  const read = MalgaCharge.safeParse(body)
  if (read.success) return read.data
  const error = new UnreadableCharge(nameUnreadable(read.error), toRecord(body))
  client.reportUnreadable(error.field)
  throw error
}

/** Undefined where the call may have been carried out: it is being worked on, or a gateway answered. */
export function readRefusal(status: number, body: unknown): Refusal | undefined {
  const read = MalgaError.safeParse(body)
  if (!read.success || status === 409) return undefined
  const { type, declinedCode, message, details } = read.data.error
  const said = JSON.stringify([message, details])
  if (BUSY_PATTERN.test(said)) return undefined
  const isDeclined = type === 'card_declined' || declinedCode != null
  return {
    problem: `${status} ${type ?? ''} ${said}`.slice(0, 300),
    declinedCode: isDeclined ? (declinedCode ?? 'generic') : null,
  }
}

export function buildPath(id: string) {
  return `/v1/charges/${encodeURIComponent(id)}`
}
