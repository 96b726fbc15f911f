// Reads the fields of Node's errors from a caught value of unknown type.

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Reads `ECONNREFUSED` and `connect`, for example; '' for a missing field. */
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

/** Whether the database was unreachable or failed, in contrast to a refusal or a bug. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && UNAVAILABLE_CODES.test(code)) return true
  if (UNAVAILABLE_MESSAGES.test(error.message)) return true
  return error.cause !== undefined && isOutage(error.cause)
}

// Class 08 is connection, 53 resources, 57 operator intervention (57014: time-out of a statement).
const UNAVAILABLE_CODES =
  /^(08...|53...|57P0.|57014|25006|ECONN(REFUSED|RESET)|E(HOST|NET)UNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
// The socket file of Postgres disappears when it stops; other missing files are bugs.
const UNAVAILABLE_MESSAGES =
  /^connect ENOENT |^timeout expired$|timeout exceeded when trying to connect|Query read timeout|Connection terminated|terminating connection|Client has encountered a connection error|not queryable/
