// Finds charges at a provider that stores our id with each: by the provider's own id, or by our id when the answer with
// the provider's id was lost. An unreadable charge hides no money: if it was paid, the outcome says so.
import type { z } from 'zod'
import { toRecord } from '../http/fields.ts'
import { equalsIgnoringCase, nameUnreadable } from './answers.ts'
import { rethrowAsUnknown } from './call.ts'
import type { JsonClient } from './json-client.ts'
import {
  type ChargeKey,
  type ChargeOutcome,
  ProviderDown,
  type RefundKey,
  type RefundOutcome,
  type RefundRequest,
} from './provider.ts'

type NamedCharges<Charge> = {
  provider: string
  schema: z.ZodType<Charge>
  /** The field with our id. */
  idField: string
  /** The status of a charge that was paid, in any case. */
  paidStatus: string
  /** The path of all charges; the path of one charge has its id at the end. */
  path: string
  /** Finds a charge by our id. */
  search(transactionId: string, now: Date): Promise<Charge | undefined>
}

export function createChargeFinder<Charge extends { id: string }>(
  client: JsonClient,
  { provider, schema, idField, paidStatus, path, search }: NamedCharges<Charge>,
) {
  return { parseCharge, readCharge, findCharge, recoverCharge, buildChargePath }

  function buildChargePath(id: string) {
    return `${path}/${encodeURIComponent(id)}`
  }

  function parseCharge(body: unknown): Charge {
    const read = schema.safeParse(body)
    if (read.success) return read.data
    const field = nameUnreadable(read.error)
    client.reportUnreadable(field)
    const { id, status, [idField]: ourId } = toRecord(body)
    const isPaid = equalsIgnoringCase(String(status), paidStatus)
    const paid = isPaid && typeof id === 'string' ? { reference: id, ourId: String(ourId) } : null
    throw new UnreadableCharge(provider, field, paid)
  }

  async function readCharge(id: string): Promise<Charge | undefined> {
    const { status, body } = await client.get(buildChargePath(id))
    // The 404 of a gateway, which is no JSON, does not say that there is no charge.
    if (status === 404 && body !== null) return undefined
    if (status !== 200) throw new Error(`${provider} could not read a charge: ${status}`)
    return parseCharge(body)
  }

  async function findCharge({ reference, transactionId }: ChargeKey, now: Date) {
    const charge = reference ? await readCharge(reference) : await search(transactionId, now)
    const ourId = charge && toRecord(charge)[idField]
    if (charge && !equalsIgnoringCase(String(ourId), transactionId)) {
      throw new Error(`Charge ${charge.id} of ${provider} is not of payment ${transactionId}`)
    }
    return charge
  }

  /** After an answer that does not say whether a charge was made. */
  async function recoverCharge(status: number, transactionId: string, now: Date): Promise<Charge> {
    const charge = await rethrowAsUnknown(search(transactionId, now))
    if (charge) return charge
    if (status === 503) throw new ProviderDown(`${provider} answered 503 and made no charge`)
    throw new Error(`${provider} answered ${status}, and its charge cannot be found yet`)
  }
}

/** A charge with a field that cannot be read. */
class UnreadableCharge extends Error {
  override readonly name = 'UnreadableCharge'
  readonly field: string
  /** Null unless it was paid. */
  readonly paid: { reference: string; ourId: string } | null

  constructor(provider: string, field: string, paid: UnreadableCharge['paid']) {
    super(`A charge of ${provider} could not be read: ${field}`)
    this.field = field
    this.paid = paid
  }
}

/** Turns the error of a paid but unreadable charge into the payment's outcome. Throws any other error again. */
export function toUnreadableOutcome(error: unknown, { transactionId }: ChargeKey): ChargeOutcome {
  const { paid, field } = error instanceof UnreadableCharge ? error : {}
  if (!paid || !field || !equalsIgnoringCase(paid.ourId, transactionId)) throw error
  return { status: 'unreadable', reference: paid.reference, field }
}

/**
 * Lists those refunds of a charge that may be this refund of ours, where the provider does not know refunds by our id:
 * without other refunds of ours, and without the oldest refunds up to the sum that was refunded at the provider.
 */
export function listOwnRefunds<Refund extends { id: string; amount?: number | null | undefined }>(
  refunds: Refund[],
  { earlier, laterReferences }: Pick<RefundKey, 'earlier' | 'laterReferences'>,
) {
  const others = [...earlier.map(({ reference }) => reference), ...laterReferences]
  const unnamed = refunds.filter(({ id }) => !others.includes(id))
  const madeThere = earlier.filter(({ reference, isDone }) => isDone && reference === null)
  let rest = madeThere.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return unnamed.filter(({ amount }) => {
    if (amount == null || amount > rest) return true
    rest -= amount
    return false
  })
}

/** Returns the outcome when no refund is requested, because the charge does not exist or nothing of it is left. */
export function toUnsentOutcome({ isFirst }: RefundRequest): RefundOutcome {
  return isFirst ? { status: 'failed', reason: 'refused' } : { status: 'unknown' }
}
