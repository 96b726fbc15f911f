// Reads which charge a notification of Malga is about, and checks its signature. Even a signed notification is only a
// hint: the charge itself is then read.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { toRecord } from '../../http/fields.ts'
import { readAnswer } from '../answers.ts'
import type { Notification, NotificationReading } from '../notification.ts'
import { FIELD_NAMES } from './schema.ts'

const TIME_PATTERN = /^\d{10,16}$/
const SIGNATURE_PATTERN = /^[0-9a-f]{128}$/i
const ID_PATTERN = /^[\w-]{8,64}$/
const REFRESH_AT_MOST_EVERY_MS = 10 * 60_000

export type SignatureKeys = ReturnType<typeof openSignatureKeys>

/** Each webhook has a key of its own; `fetchKeys` asks Malga for those of all. */
export function openSignatureKeys(fetchKeys: () => Promise<string[]>, now: () => Date) {
  let keys: KeyObject[] = []
  let askedAtMs = Number.NEGATIVE_INFINITY
  return { isSigned }

  /** Asks for new keys where none fits, a few times an hour, however many notifications arrive. */
  async function isSigned(message: Buffer, signature: Buffer) {
    const fits = () => keys.some((key) => verify(null, message, key, signature))
    if (fits()) return true
    const atMs = now().getTime()
    if (atMs - askedAtMs < REFRESH_AT_MOST_EVERY_MS) return false
    askedAtMs = atMs
    const fetched = await fetchKeys().catch(() => undefined)
    if (fetched) keys = fetched.map(parseKey).filter((key) => key !== undefined)
    return fits()
  }
}

/** Accepts a signature of any age: a notification that is repeated for days may bear its first one. */
export async function readChargeHints(
  { headers, body }: Notification,
  keys: SignatureKeys,
): Promise<NotificationReading> {
  const event = toRecord(readAnswer(body.toString(), FIELD_NAMES))
  const { id } = toRecord(event.data)
  const isCharge = (event.object ?? 'transaction') === 'transaction'
  const isNamed = isCharge && typeof id === 'string' && ID_PATTERN.test(id)
  const hints = isNamed ? [{ kind: 'reference' as const, reference: id }] : []
  const [time, signature] = [headers['x-plug-date'], headers['x-plug-signature']].map(String)
  if (!time || !TIME_PATTERN.test(time) || !signature || !SIGNATURE_PATTERN.test(signature))
    return { kind: 'forged', hints }
  const message = Buffer.concat([Buffer.from(`${time}\n`), body])
  const isOwn = await keys.isSigned(message, Buffer.from(signature, 'hex'))
  return { kind: isOwn ? 'read' : 'forged', hints }
}

/** Undefined of what is no key of that kind. */
function parseKey(pem: string) {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}
