import { isUnavailable } from '../database/connect.ts'

/** What went wrong, in one sentence and without what a statement's parameters would give away. */
export function sentenceOf(error: unknown): string {
  const reason = reasonOf(error)
  return isUnavailable(error)
    ? `The database is not available (${reason}): check DATABASE_URL, and that Postgres is running.`
    : reason
}

/** The innermost cause knows it best: what wraps it repeats the whole statement. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  // Of several addresses that were tried; it has no message of its own.
  if (error instanceof AggregateError && !error.message) return reasonOf(error.errors[0])
  return error.message
}
