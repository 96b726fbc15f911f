import { orm } from '../database/drizzle.ts'
import { isOutage } from '../outage.ts'

/** What went wrong, in one sentence. */
export function sentenceOf(error: unknown): string {
  const reason = reasonOf(error)
  return isOutage(error)
    ? `The database is not available (${reason}): check DATABASE_URL, and that Postgres is running.`
    : reason
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Its own message is the whole statement with its parameters, which are people's data.
  if (error instanceof orm.DrizzleQueryError) return reasonOf(error.cause)
  // Of several addresses that were tried; it has no message of its own.
  if (error instanceof AggregateError && !error.message) return reasonOf(error.errors[0])
  return error.message
}
