// A form that waits inside a page: sealed, so that whoever has the page can neither read nor change it.

import { z } from 'zod'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { toRecord } from '../../http/fields.ts'

/** What one field of a form takes, with room for the others. */
const MAX_SEALED_LENGTH = 60_000

const SealedForm = z.record(z.string(), z.unknown())

/** Of `name`, and opened by it alone. Empty for what is too large to wait. */
export function sealForm(cipher: Cipher, form: Record<string, unknown>, name: string) {
  const text = JSON.stringify(form, shortenBuffer)
  const sealed = cipher.encrypt(text, 'ticket', name).toString('base64url')
  return sealed.length > MAX_SEALED_LENGTH ? '' : sealed
}

/** Undefined for what waits nowhere, or was sealed by another name. */
export function openForm(cipher: Cipher, sealed: string, name: string) {
  if (sealed === '') return undefined
  try {
    const text = cipher.decrypt(Buffer.from(sealed, 'base64url'), 'ticket', name)
    return SealedForm.parse(JSON.parse(text, reviveBuffer))
  } catch {
    return undefined
  }
}

/** A file, as JSON writes one: byte for byte as numbers, which is three times as long. */
function shortenBuffer(_name: string, value: unknown) {
  const { type, data } = toRecord(value)
  const isFile = type === 'Buffer' && Array.isArray(data)
  return isFile ? { type, data: Buffer.from(data).toString('base64') } : value
}

function reviveBuffer(_name: string, value: unknown) {
  const { type, data } = toRecord(value)
  return type === 'Buffer' && typeof data === 'string' ? Buffer.from(data, 'base64') : value
}
