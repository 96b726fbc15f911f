// The txid of our Pix charges: `PL` and our id in hex, 34 characters, of the 26 to 35 that banks accept. A static BR
// Code, which the sandbox makes, has 25: the id's time and 38 random bits.

import type { ProviderName } from '../database/enums.ts'
import { formatUuid } from '../database/id.ts'

/** Some banks write it in capitals. */
const WHOLE_TXID = /^PL([0-9a-f]{32})$/i
const ANY_TXID = /^PL([0-9a-f]{23}|[0-9a-f]{32})$/i

export function buildTxid(id: string, provider: ProviderName) {
  const txid = `PL${id.replaceAll('-', '')}`
  return provider === 'sandbox' ? txid.slice(0, 25) : txid
}

/** Returns the payment's id in a txid of ours; undefined for another txid. */
export function parseTxid(txid: string) {
  const [, hex] = txid.match(WHOLE_TXID) ?? []
  return hex && formatUuid(hex.toLowerCase())
}

/** Returns the range of ids for a txid of ours, also for the sandbox's short one. */
export function parseTxidBounds(txid: string) {
  const [, hex] = txid.match(ANY_TXID) ?? []
  const id = hex?.toLowerCase()
  return id && { from: formatUuid(id.padEnd(32, '0')), to: formatUuid(id.padEnd(32, 'f')) }
}
