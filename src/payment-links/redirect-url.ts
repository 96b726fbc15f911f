// Where a payer may be sent back to. The address is the company's, is stored with the link and is
// never taken from a request of the payer's.

import { canListen } from '../http/outbound.ts'
import { hasForbiddenCharacters } from '../http/text.ts'

/** What the URL parser would silently mend is none: `https:\\evil`, a third slash, tabs, leading spaces. */
const WHOLE_ADDRESS = /^https?:\/\/[^\s\\/][^\s\\]*$/i
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An absolute https address without user info; http for this very machine only. */
export function isRedirectUrl(address: string) {
  if (!WHOLE_ADDRESS.test(address) || hasForbiddenCharacters(address)) return false
  const url = URL.parse(address)
  if (!url || url.username || url.password || !canListen(url)) return false
  return url.protocol === 'https:' || LOOPBACK_HOSTS.has(url.hostname)
}
