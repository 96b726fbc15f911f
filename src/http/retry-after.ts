/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3) as ms, without a limit; null when it has neither seconds nor a date.
 */
export function parseRetryAfterMs(header: string | null, now: Date) {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  // Date.parse alone accepts almost any text with a number.
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : date - now.getTime()
}
