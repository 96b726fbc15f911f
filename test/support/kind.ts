// A result with several ends, in a test that goes on from one of them.

/** Throws when it came to another end. */
export function requireKind<Result extends { kind: string }, Kind extends Result['kind']>(
  result: Result,
  kind: Kind,
): Extract<Result, { kind: Kind }> {
  if (hasKind(result, kind)) return result
  throw new Error(`${kind} was expected, and not ${result.kind}`)
}

function hasKind<Result extends { kind: string }, Kind extends Result['kind']>(
  result: Result,
  kind: Kind,
): result is Extract<Result, { kind: Kind }> {
  return result.kind === kind
}
