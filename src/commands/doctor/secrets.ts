// Checks that the current key decrypts all secrets, and that no certificate among them expires soon.
import type { Config } from '../../config.ts'
import type { Database } from '../../database/connect.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import { countEncrypted } from '../../database/encryption/reencrypt.ts'
import {
  type AccountCertificate,
  CERTIFICATE_NOTICE_DAYS,
  keepEnding,
} from '../../providers/certificates.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MAX_NAMED_CERTIFICATES = 3

export async function checkSecrets(db: Database, cipher: Cipher, { previousSecretKey }: Config) {
  const columns = await countEncrypted(db, cipher)
  const sum = (what: 'encrypted' | 'stale' | 'unreadable') =>
    columns.reduce((total, column) => total + column[what], 0)
  const name = (what: 'stale' | 'unreadable') =>
    columns
      .flatMap((column) => (column[what] > 0 ? `${column.name} ${column[what]}` : []))
      .join(', ')
  const [encrypted, stale, unreadable] = [sum('encrypted'), sum('stale'), sum('unreadable')]
  const opened = `secret key: decrypts ${encrypted - unreadable} of ${encrypted} secrets`
  if (unreadable > 0) {
    return reportFailure(
      `${opened} (others: ${name('unreadable')})`,
      'set the SECRET_KEY that encrypted them, also as SECRET_KEY_PREVIOUS; "secrets rotate" names them',
    )
  }
  if (stale > 0) {
    return reportWarning(
      `${opened}, ${stale} of them encrypted with an earlier key (${name('stale')})`,
      'run "secrets rotate"; until then keep SECRET_KEY_PREVIOUS if it is set',
    )
  }
  const all = `secret key: decrypts all ${encrypted} secrets`
  if (!previousSecretKey) return reportOk(all)
  return reportWarning(
    `${all}; SECRET_KEY_PREVIOUS decrypts none of them`,
    'keep it while you change keys: it is the new key until both are swapped (.github/SECURITY.md); otherwise remove it everywhere',
  )
}

/** `certificates` must be sorted, first to expire first. */
export function classifyCertificates(certificates: AccountCertificate[], now: Date): Finding {
  const ending = keepEnding(certificates, now)
  const [first] = ending
  if (!first) return reportOk(`certificates: none of ${certificates.length} expires soon`)
  const named = ending
    .slice(0, MAX_NAMED_CERTIFICATES)
    .map(({ companyId, until }) => `${companyId} on ${until.toISOString().slice(0, 10)}`)
  const more = ending.length > MAX_NAMED_CERTIFICATES ? ', …' : ''
  const what = `certificates: ${ending.length} of ${certificates.length} expire within ${CERTIFICATE_NOTICE_DAYS} days or have expired (${named.join(', ')}${more})`
  const advice = 'the company needs a new one from its bank\'s panel, saved with "provider set"'
  return first.until > now
    ? reportWarning(what, advice)
    : reportFailure(`${what}; with an expired one payments fail`, advice)
}
