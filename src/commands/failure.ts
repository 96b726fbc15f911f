import { orm } from '../database/drizzle.ts'
import { isOutage } from '../outage.ts'

/** What went wrong, in one sentence. */
export function formatFailure(error: unknown): string {
  const reason = getErrorReason(error)
  return isOutage(error)
    ? `The database is not available (${reason}): check DATABASE_URL, and that Postgres is running.`
    : reason
}

export function getErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Its own message is the whole statement with its parameters, which are people's data.
  if (error instanceof orm.DrizzleQueryError) return getErrorReason(error.cause)
  // Of several addresses that were tried; it has no message of its own.
  if (error instanceof AggregateError && !error.message) return getErrorReason(error.errors[0])
  return error.message
}
