// Reads which charge a notification of Woovi is about, and checks its signature. All of Woovi's customers share one
// key, so even a signed notification is only a hint: the charge itself is then read.
import { toRecord } from '../../http/fields.ts'
import { toOwnCase } from '../answers.ts'
import type { Hint, Notification, NotificationReading, SignatureKeys } from '../notification.ts'
import { readOpenPixAnswer } from './responses.ts'

const SIGNATURE_HEADER = 'x-webhook-signature'
const BASE64_PATTERN = /^[A-Za-z0-9+/]{40,1500}={0,2}$/
const ID_PATTERN = /^[\w-]{8,64}$/
const END_TO_END_ID_PATTERN = /^E[A-Za-z0-9]{31}$/

export async function readOpenPixHints(
  { headers, body }: Notification,
  keys: SignatureKeys,
): Promise<NotificationReading> {
  const payload = toRecord(readOpenPixAnswer(body.toString()))
  // Sent when a webhook is created or tested; it has no content.
  if (payload.evento === 'teste_webhook') return { kind: 'read', hints: [] }
  const hints = findHints(payload)
  const given = headers[SIGNATURE_HEADER]
  const isBase64 = typeof given === 'string' && BASE64_PATTERN.test(given)
  const isSigned = isBase64 && (await keys.isSigned(body, Buffer.from(given, 'base64')))
  return { kind: isSigned ? 'read' : 'forged', hints }
}

/** Finds the charge by our id, in any part; a dispute names only the Pix. */
function findHints(payload: Record<string, unknown>): Hint[] {
  const parts = [payload, ...PARTS.flatMap((name) => payload[name] ?? []).map(toRecord)]
  const references = parts
    .map((part) => toRecord(part.charge).correlationID)
    .filter((id): id is string => typeof id === 'string' && ID_PATTERN.test(id))
    .map(toOwnCase)
  if (references.length > 0) {
    return [...new Set(references)].map((reference) => ({ kind: 'reference', reference }))
  }
  const endToEndIds = parts
    .map(({ endToEndId }) => endToEndId)
    .filter((id): id is string => typeof id === 'string' && END_TO_END_ID_PATTERN.test(id))
  return [...new Set(endToEndIds)].map((endToEndId) => ({ kind: 'endToEndId', endToEndId }))
}

const PARTS = ['pix', 'transaction', 'refund', 'dispute']
