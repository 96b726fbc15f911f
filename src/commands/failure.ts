// Describes a failure in one sentence, with advice when the database cannot be used.
import { orm } from '../database/drizzle.ts'
import { EmbeddedError } from '../database/embedded/os-user.ts'
import { isOutage, readSystemError } from '../system-error.ts'

const SIGN_IN_ADVICE =
  'check the user and the password in DATABASE_URL; for the embedded Postgres, remove .data/postgres-password and start again'
export const OWNER_ADVICE =
  'give the service a role that owns its database, such as .docker/role.sql creates'
const WRITE_ADVICE =
  'name the primary in DATABASE_URL, or remove the setting that makes it read-only, such as default_transaction_read_only'
const FOREIGN_ADVICE =
  'name a database of its own in DATABASE_URL; if it was restored from a backup, restore that again into an empty one'
const CERTIFICATE_ADVICE =
  'set sslrootcert in DATABASE_URL to the file of the authority that signed its certificate, and use the host name of the certificate'

/** Advice by the error code, for failures that a later try cannot repair. */
const ADVICE_BY_CODE: Record<string, string> = {
  '28P01': SIGN_IN_ADVICE,
  '28000':
    'check the user in DATABASE_URL, and what pg_hba.conf of that server requires, such as TLS (?sslmode=verify-full)',
  '3D000': 'create this database, or name another in DATABASE_URL',
  '42501': OWNER_ADVICE,
  // A table that must not exist yet does, or one that must exist is missing.
  '42P07': FOREIGN_ADVICE,
  '42P01': FOREIGN_ADVICE,
  '25006': WRITE_ADVICE,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_ADVICE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_ADVICE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_ADVICE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE_ADVICE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE_ADVICE,
  CERT_HAS_EXPIRED: 'give that server a new certificate',
}

/** Advice by the message, for errors of the driver without a code. */
const ADVICE_BY_MESSAGE: [RegExp, string][] = [
  [/^SASL: .*password must be/, 'it asks for a password, and DATABASE_URL has none'],
  [/^SASL: /, SIGN_IN_ADVICE],
  [/does not support SSL/, 'remove sslmode from DATABASE_URL, or enable TLS on that server'],
]

/** Advice for failures that may be repaired before a later try. */
const OUTAGE_ADVICE_BY_CODE: Record<string, string> = {
  '53100': 'free space on the disk with the data of Postgres',
  '53300':
    'close some of its connections, or raise max_connections or the limit of the role or the database',
}

export function formatFailure(error: unknown): string {
  const reason = getErrorReason(error)
  if (error instanceof EmbeddedError) return reason
  const advice = findDatabaseAdvice(error)
  if (advice) return `The database cannot be used (${reason}): ${advice}.`
  if (!isOutage(error)) return reason
  return `The database is not available (${reason}): ${getOutageAdvice(error)}.`
}

/** Advice when a later try may succeed. */
export function getOutageAdvice(error: unknown): string {
  const { code } = readSystemError(unwrapQueryError(error))
  return OUTAGE_ADVICE_BY_CODE[code] ?? 'check DATABASE_URL, and that Postgres is running'
}

/** Advice for errors of a database that was reached; undefined when there is none. */
export function findDatabaseAdvice(error: unknown): string | undefined {
  const { code, message } = readSystemError(unwrapQueryError(error))
  return ADVICE_BY_CODE[code] ?? ADVICE_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
}

export function getErrorReason(thrown: unknown): string {
  const error = unwrapQueryError(thrown)
  if (!(error instanceof Error)) return String(error)
  // Several addresses were tried; this error has no message of its own.
  if (error instanceof AggregateError && !error.message) return getErrorReason(error.errors[0])
  return error.message
}

/** The error's own message is the whole statement with its parameters, which are personal data. */
function unwrapQueryError(error: unknown): unknown {
  return error instanceof orm.DrizzleQueryError ? unwrapQueryError(error.cause) : error
}
