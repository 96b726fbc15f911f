// Creates, finds and voids charges. Each has our id as its `orderId` and as its idempotency key, so that it is created
// once, and found even when the answer was lost.

import { toRecord } from '../../http/fields.ts'
import { equalsIgnoringCase } from '../answers.ts'
import { deriveCallId } from '../call.ts'
import { toEnteredCard } from '../card.ts'
import type { JsonClient } from '../json-client.ts'
import { createChargeFinder } from '../named-charges.ts'
import type {
  CancelOptions,
  CardCharge,
  ChargeKey,
  EnteredCard,
  LiabilityShift,
} from '../provider.ts'
import { buildChargeRequest } from './request.ts'
import { ChargeList, MalgaCard, MalgaCharge, MalgaError } from './schema.ts'

/** Malga's words when the same request is still in progress. */
const BUSY_PATTERN = /is processing|same idempotency key/i

const RESERVED = /^(pre_authorized|capture_pending)$/
const RESERVED_OR_PAID = /^(pre_authorized|capture_pending|authorized)$/

/** The payer waits for the card as well, although the charge is already known. */
const CARD_LIMIT_MS = 2_000

/** Why there is no charge. `declinedCode` is set when a bank declined the card. */
export type Refusal = { problem: string; declinedCode: string | null }

export type ChargeClient = ReturnType<typeof createChargeClient>

export function createChargeClient(
  client: JsonClient,
  options: { merchantId: string; liabilityShift: LiabilityShift },
) {
  const finder = createChargeFinder(client, {
    ...{ provider: 'Malga', schema: MalgaCharge, path: '/v1/charges' },
    ...{ idField: 'orderId', paidStatus: 'authorized', search: searchCharge },
  })
  const { parseCharge, readCharge, findCharge, recoverCharge, buildChargePath } = finder
  return {
    ...{ make: createCharge, find: findCharge, read: readCharge, parse: parseCharge },
    ...{ giveUp: giveUpCharge, listAll: listCharges, readCard, buildPath: buildChargePath },
  }

  /** Creates a charge. Returns it, or the reason why there is none. Throws when that is unknown. */
  async function createCharge(charge: CardCharge, now: Date): Promise<MalgaCharge | Refusal> {
    const { transactionId } = charge
    const { status, body } = await client.send(
      'POST',
      '/v1/charges',
      buildChargeRequest(charge, options),
      transactionId,
    )
    if (status < 300) return parseCharge(body)
    return readRefusal(status, body) ?? recoverCharge(status, transactionId, now)
  }

  /** Reads the charged card from the charge, or else by its id. A charge without a readable card counts too. */
  async function readCard({ paymentSource }: MalgaCharge): Promise<EnteredCard | undefined> {
    const { card, cardId } = paymentSource ?? {}
    if (card || !cardId) return toCard(card ?? {})
    const path = `/v1/cards/${encodeURIComponent(cardId)}`
    const { body } = await client.get(path, undefined, CARD_LIMIT_MS)
    return toCard(MalgaCard.parse(body))
  }

  async function searchCharge(transactionId: string): Promise<MalgaCharge | undefined> {
    const own = await searchCharges(transactionId)
    const first = own.find(isNotFailed) ?? own[0]
    return first && parseCharge(first)
  }

  /** Lists every charge with our id that did not fail: a payer may be charged twice. */
  async function listCharges(transactionId: string): Promise<MalgaCharge[]> {
    const own = await searchCharges(transactionId)
    return own.filter(isNotFailed).map(parseCharge)
  }

  /** Throws when the list ignores the filter, because a charge that it does not show may exist. */
  async function searchCharges(transactionId: string) {
    const { status, body } = await client.get('/v1/charges', { orderId: transactionId })
    if (status !== 200) throw new Error(`Malga could not search its charges: ${status}`)
    const found = ChargeList.parse(body).items.map(toRecord)
    const own = found.filter(({ orderId }) => equalsIgnoringCase(String(orderId), transactionId))
    if (own.length === 0 && found.length > 0) {
      throw new Error('Malga listed other charges than it was asked for')
    }
    return own
  }

  /** Voids a paid or reserved charge. Malga cannot cancel a charge that waits for its payer or for an acquirer. */
  async function giveUpCharge(
    key: ChargeKey,
    now: Date,
    { keepsPaid = false }: CancelOptions = {},
  ) {
    const charge = await findCharge(key, now)
    if (!charge) return
    const { id, status } = charge
    if (/^(pending|created)$/.test(status)) throw new Error(`Charge ${id} cannot be canceled yet`)
    const unwanted = keepsPaid ? RESERVED : RESERVED_OR_PAID
    if (unwanted.test(status)) await voidCharge(charge, deriveCallId(key.transactionId, 'void'))
    if (!keepsPaid) await voidOthers(id, key)
  }

  async function voidOthers(id: string, { transactionId }: ChargeKey) {
    const paid = (await listCharges(transactionId)).filter(({ status }) => status === 'authorized')
    for (const other of paid.filter((one) => one.id !== id))
      await voidCharge(other, deriveCallId(transactionId, `void ${other.id}`))
  }

  /** Voids what is left of the charge. */
  async function voidCharge({ id, amount }: MalgaCharge, key: string) {
    const { status } = await client.send('POST', `${buildChargePath(id)}/void`, { amount }, key)
    if (status >= 300 && status !== 409) throw new Error(`Malga did not void a charge: ${status}`)
  }
}

function isNotFailed({ status }: Record<string, unknown>) {
  return String(status).toLowerCase() !== 'failed'
}

function toCard({ brand, last4digits: last4, cardHolderName: holder }: Partial<MalgaCard>) {
  return toEnteredCard({ brand, last4, holder })
}

/** Reads why Malga refused a request; undefined when the request may have been carried out all the same. */
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
