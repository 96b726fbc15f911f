/** Postgres writes `2026-01-01 00:00:00.12+00`; the wire wants `2026-01-01T00:00:00.120Z`. */
export function toIso(text: string) {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const millis = text.length === 22 ? '.000' : text.slice(19, -3).padEnd(4, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${millis}Z`
}
