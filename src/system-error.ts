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
