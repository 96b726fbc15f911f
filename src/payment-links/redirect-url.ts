// Where a payer may be sent back to. The address is the company's, is stored with the link and is
// never taken from a request of the payer's.

import { canListen } from '../http/outbound.ts'
import { hasForbiddenCharacters } from '../http/text.ts'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An absolute https address without user info; http for this very machine only. */
export function isRedirectUrl(address: string) {
  // What the URL parser would silently mend is refused: `https:\\evil`, tabs, leading spaces, controls.
  if (!/^https?:\/\/[^\s\\]+$/i.test(address) || hasForbiddenCharacters(address)) return false
  const url = URL.parse(address)
  if (!url || url.username || url.password || !canListen(url)) return false
  return url.protocol === 'https:' || LOOPBACK_HOSTS.has(url.hostname)
}
