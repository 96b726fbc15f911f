/** What a `Retry-After` header asks for, in ms and unbounded (RFC 9110, 10.2.3); null when it says neither seconds nor a date. */
export function parseRetryAfterMs(header: string | null, now: Date) {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  // Date.parse alone makes a date of almost anything with a number in it.
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : date - now.getTime()
}
