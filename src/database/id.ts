import { randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const VERSION_7 = 0x7000
const MAX_COUNT = 0xfff

/** A UUIDv7: ids made later sort later, so a list is paged by its primary key. */
export const newId = createIdSource()

/** Of the request that makes something: sent again it brings the same id. */
export type CreateContext = { id: string; now: Date }

/** Before and after all ids. */
export const MIN_UUID = '00000000-0000-0000-0000-000000000000'
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether Postgres may be asked about it; of anything else it only says that it is no id. */
export function isUuid(text: string) {
  return UUID.test(text)
}

/** No UUIDv7 of that millisecond or later sorts before it. */
export function buildMinUuid(ms: number) {
  return buildUuidBound(ms, MIN_UUID)
}

/** No UUIDv7 of that millisecond or earlier sorts after it. */
export function buildMaxUuid(ms: number) {
  return buildUuidBound(ms, MAX_UUID)
}

/** Ten characters of 57 that nobody mistakes for one another: 58 bits from a CSPRNG. */
export const newSlug = customAlphabet(
  '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  10,
)

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 24 characters, 142 bits from a CSPRNG: for what must not be guessed, such as a payment's URL. */
export const newToken = customAlphabet(ALPHANUMERIC, 24)

/** @param hex 32 digits */
export function formatUuid(hex: string) {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Ids that each sort after the one before, by a count within the millisecond (RFC 9562, 6.2, method 1) and
 * 62 bits of a CSPRNG. By hand: `v7` of uuid asks the kernel for each, and Node's own do not keep the order.
 */
function createIdSource() {
  let [ms, count] = [0, 0]
  return () => {
    const now = Date.now()
    if (now > ms) [ms, count] = [now, 0]
    else if (++count > MAX_COUNT) [ms, count] = [ms + 1, 0]
    const time = ms.toString(16).padStart(12, '0')
    const versionAndCount = (VERSION_7 + count).toString(16)
    return `${time.slice(0, 8)}-${time.slice(8)}-${versionAndCount}${randomUUID().slice(18)}`
  }
}

function buildUuidBound(ms: number, bound: string) {
  const time = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${bound.slice(13)}`
}
