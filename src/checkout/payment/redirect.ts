// The payer's return to the company after an approved payment, signed so that the company's page can trust it. The
// webhook remains the proof of payment.
import { createHmac } from 'node:crypto'
import { decryptRedirectSecret } from '../../companies/redirect-secret.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { getRedirectName } from '../../payment-links/schema.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'

const REDIRECT_AFTER_S = 10

/** `seconds`: when the page goes there automatically; null when it does not. */
export type ReturnRedirect = { url: string; host: string; seconds: number | null }

export type ReturnOccasion = { now: Date; goesByItself: boolean }

/**
 * Null for a link without a redirect address. `sig` is the hex HMAC-SHA256, with the redirect secret of the company's
 * environment, of `transactionId.slug.status.testMode.ts`; `ts` is in Unix seconds. The rest of the address stays byte
 * for byte, since the company may have signed it.
 */
export function buildReturnRedirect(
  cipher: Cipher,
  row: TransactionRow,
  found: LinkWithCompany,
  { now, goesByItself }: ReturnOccasion,
): ReturnRedirect | null {
  const { link, company } = found
  if (!link.redirectUrl) return null
  const url = new URL(link.redirectUrl)
  const ts = String(Math.floor(now.getTime() / 1000))
  const secret = decryptRedirectSecret(cipher, company)
  const testMode = String(row.testMode)
  const signed = [row.id, link.slug, row.status, testMode, ts].join('.')
  const sig = createHmac('sha256', secret).update(signed).digest('hex')
  const parameters = {
    transactionId: row.id,
    slug: link.slug,
    status: row.status,
    testMode,
    ts,
    sig,
  }
  const own = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !Object.hasOwn(parameters, getName(pair)))
  url.search = [...own, String(new URLSearchParams(parameters))].filter(Boolean).join('&')
  return {
    url: url.href,
    host: getRedirectName(url),
    seconds: goesByItself ? REDIRECT_AFTER_S : null,
  }
}

/** Returns the name in a pair of a query. */
function getName(pair: string) {
  const [name = ''] = new URLSearchParams(pair).keys()
  return name
}
