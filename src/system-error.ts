// What was caught, of which the language says nothing: an Error, with the fields that Node's own have.

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Each '' where it has no such field: `ECONNREFUSED` and `connect`, for example. */
export function readSystemError(thrown: unknown) {
  return {
    code: readField(thrown, 'code'),
    syscall: readField(thrown, 'syscall'),
    message: readField(thrown, 'message'),
  }
}

function readField(thrown: unknown, name: string) {
  const value: unknown = thrown instanceof Error ? Reflect.get(thrown, name) : undefined
  return typeof value === 'string' ? value : ''
}

// Tells an outage of the database from a bug and from a refusal, by the error alone.

/** Whether the database could not be reached or gave up, rather than refused what was asked. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && UNAVAILABLE_CODES.test(code)) return true
  if (UNAVAILABLE_MESSAGES.test(error.message)) return true
  return error.cause !== undefined && isOutage(error.cause)
}

// Class 08 connection, 53 resources, 57 operator intervention (57014 is a statement's time-out).
const UNAVAILABLE_CODES =
  /^(08...|53...|57P0.|57014|25006|ECONN(REFUSED|RESET)|E(HOST|NET)UNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
// A socket in a folder goes with the Postgres that made it; other things that are not there are bugs.
const UNAVAILABLE_MESSAGES =
  /^connect ENOENT |^timeout expired$|timeout exceeded when trying to connect|Query read timeout|Connection terminated|terminating connection|Client has encountered a connection error|not queryable/
