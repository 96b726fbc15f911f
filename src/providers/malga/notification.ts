// Reads which charge a notification of Malga is about, and checks its signature. Even a signed notification is only a
// hint: the charge itself is then read.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { toRecord } from '../../http/fields.ts'
import { readAnswer } from '../answers.ts'
import type { Notification, NotificationReading, SignatureKeys } from '../notification.ts'
import { FIELD_NAMES } from './schema.ts'

const TIME_PATTERN = /^\d{10,16}$/
const SIGNATURE_PATTERN = /^[0-9a-f]{128}$/i
const ID_PATTERN = /^[\w-]{8,64}$/

/** Accepts a signature of any age: a notification that is repeated for days may have its first signature. */
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

/** Parses a key of a webhook; undefined when the text is no Ed25519 key. */
export function parseSignatureKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

export function isSignedBy(key: KeyObject, message: Buffer, signature: Buffer) {
  return verify(null, message, key, signature)
}
