// Links that let whoever holds them in: sealed for as long as they wait to be sent.
import type { Seal } from '../database/encryption.ts'

type Data = Record<string, unknown>

export function sealLink(seal: Seal, data: Data): Data {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  return { ...data, secretLink: seal.close(secretLink).toString('base64') }
}

/** Throws when it was sealed under another key. */
export function openLink(seal: Seal, data: Data): Data {
  const { secretLink } = data
  if (typeof secretLink !== 'string') return data
  return { ...data, secretLink: seal.open(Buffer.from(secretLink, 'base64')) }
}
