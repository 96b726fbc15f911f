// A company's own headers on the deliveries to an endpoint, such as its gateway requires. Their values are secrets:
// encrypted, and never shown again.
import type { Db } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import type { FieldError } from '../../http/errors.ts'
import { webhookTexts } from '../texts.ts'

export const MAX_HEADERS = 10
const NAME_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
/** Visible ASCII with spaces inside, as after `Bearer`. */
const VALUE_PATTERN = /^[!-~](?:[ -~]{0,498}[!-~])?$/
/** Headers that we set ourselves, and hop-by-hop headers (RFC 9110, 7.6.1). */
const RESERVED_NAMES =
  /^(?:webhook-.*|content-.*|host|user-agent|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings)$/i

/** A header without `value` keeps its stored one. */
export type HeaderField = { name: string; value?: string | undefined }

type StoredHeaders = { headerNames: string[]; headerValues: Buffer | null }
type EndpointHeaders = { id: string; headerNames: string[] }

export function encryptHeaders(cipher: Cipher, id: string, given: HeaderField[]): StoredHeaders {
  const values = JSON.stringify(given.map(({ value }) => value))
  return {
    headerNames: given.map(({ name }) => name),
    headerValues: given.length > 0 ? cipher.encrypt(values, PLACE, id) : null,
  }
}

const PLACE = 'webhook_endpoints.header_values'

/** Throws when the values were encrypted with another key. */
export function decryptHeaders(
  cipher: Cipher,
  endpointId: string,
  { headerNames, headerValues }: StoredHeaders,
): Record<string, string> {
  if (!headerValues) return {}
  const values: string[] = JSON.parse(cipher.decrypt(headerValues, PLACE, endpointId))
  return Object.fromEntries(headerNames.map((name, i) => [name, values[i] ?? '']))
}

/** Adds stored values to headers without a value; a stored value that cannot be decrypted is left out. */
export async function keepHeaderValues(
  db: Db,
  cipher: Cipher,
  { id, headerNames }: EndpointHeaders,
  given: HeaderField[],
): Promise<HeaderField[]> {
  if (given.every(({ value }) => value !== undefined)) return given
  const [row] = await db
    .select({ headerValues: webhookEndpoints.headerValues })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
  const kept = tryDecrypt(cipher, id, { headerNames, headerValues: row?.headerValues ?? null })
  return given.map(({ name, value }) => ({ name, value: value ?? kept[name] }))
}

/**
 * Lists the headers that must be sent again with their value, because the stored one was entered for another origin.
 * `headers` is absent when they do not change.
 */
export function listValuesLeftBehind(
  before: { url: string; headerNames: string[] },
  { url, headers }: { url: string | undefined; headers: HeaderField[] | undefined },
): string[] {
  if (!isOtherOrigin(before.url, url)) return []
  const wanted: HeaderField[] = headers ?? before.headerNames.map((name) => ({ name }))
  return wanted.filter(({ value }) => value === undefined).map(({ name }) => name)
}

/** False when `url` is no URL, which is refused separately. */
export function isOtherOrigin(before: string, url: string | undefined) {
  const origin = url === undefined ? undefined : URL.parse(url)?.origin
  return origin !== undefined && origin !== new URL(before).origin
}

function tryDecrypt(cipher: Cipher, id: string, stored: StoredHeaders): Record<string, string> {
  try {
    return decryptHeaders(cipher, id, stored)
  } catch {
    return {}
  }
}

export function findHeaderErrors(given: HeaderField[]): FieldError[] {
  const { tooMany, name: badName, reserved, repeated, value: badValue } = webhookTexts.headers
  if (given.length > MAX_HEADERS) {
    return [{ field: 'headers', code: 'too_big', message: tooMany(MAX_HEADERS) }]
  }
  const seen = new Set<string>()
  return given.flatMap(({ name, value }) => {
    const isRepeated = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    const field = `headers.${name}`
    if (!NAME_PATTERN.test(name)) return [{ field, code: 'invalid_format', message: badName }]
    if (RESERVED_NAMES.test(name)) return [{ field, code: 'reserved', message: reserved(name) }]
    if (isRepeated) return [{ field, code: 'repeated', message: repeated(name) }]
    if (value !== undefined && VALUE_PATTERN.test(value)) return []
    return [{ field, code: 'invalid_format', message: badValue(name) }]
  })
}
