// Where a payer may be sent back to. The address is the company's, is stored with the link and is
// never taken from a request of the payer's.

import { canListen } from '../http/outbound.ts'
import { hasForbiddenCharacters } from '../http/text.ts'

/** What the URL parser would silently mend is none: `https:\\evil`, a third slash, tabs, leading spaces. */
const WEB_ADDRESS = /^https?:\/\/[^\s\\/][^\s\\]*$/i
/** Of an app, whose own scheme has a dot in it (RFC 8252, 7.1), as no scheme has that a browser runs. */
const APP_ADDRESS = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s\\]*$/i

/** An absolute address of a site or an app without user info. */
export function isRedirectUrl(address: string) {
  if (hasForbiddenCharacters(address)) return false
  const url = URL.parse(address)
  if (!url || url.username || url.password) return false
  return WEB_ADDRESS.test(address) ? canListen(url) : APP_ADDRESS.test(address)
}

/** Where an address leads, in as many words as people need. */
export function getRedirectName({ protocol, host }: URL) {
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
