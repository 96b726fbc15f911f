import { createHmac, randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { SECOND_MS } from './instant.ts'

const VERSION_7 = 0x7000
const MAX_COUNT = 0xfff

/** A UUIDv7: ids made later sort later, so a list is paged by its primary key. */
export const newId = createIdSource(Date.now)

/** An id of that instant, so that a period is a range of ids; without an order within a millisecond. */
export function newIdAt(ms: number) {
  // Version 4 has its random bits in the same places.
  return `${formatUuidTime(ms)}-7${randomUUID().slice(15)}`
}

/** The id of the request that creates a resource: a repeated request has the same id. */
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

/** The ids, in their order, of up to 4096 things that are made together; `id` brings the same ones again. */
export function deriveIds(id: string, count: number) {
  return Array.from({ length: count }, (_, i) => id.slice(0, -3) + i.toString(16).padStart(3, '0'))
}

/** Ten characters of 57 that nobody mistakes for one another: 58 bits from a CSPRNG. */
export const newSlug = customAlphabet(
  '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  10,
)

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const TOKEN_LENGTH = 24

/** 142 bits from a CSPRNG: for what must not be guessed, such as a payment's URL. */
export const newToken = customAlphabet(ALPHANUMERIC, TOKEN_LENGTH)

/** The same token again from the same two: as hard to guess as the first. */
export function deriveToken(token: string, salt: string) {
  return createHmac('sha256', token).update(salt).digest('hex').slice(0, TOKEN_LENGTH)
}

/** A new one is not of hexadecimal digits alone, but for one in 10^14. */
export function isDerivedToken(token: string) {
  return /^[\da-f]+$/.test(token)
}

/** @param hex 32 digits */
export function formatUuid(hex: string) {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Ids that each sort after the one before, by a count within the millisecond (RFC 9562, 6.2, method 1) and
 * 62 bits of a CSPRNG. By hand: `v7` of uuid asks the kernel for each, and Node's own do not keep the order.
 */
export function createIdSource(readMs: () => number) {
  let [ms, count, time] = [0, 0, '']
  const startAt = (at: number) => {
    ms = at
    count = 0
    time = `${formatUuidTime(at)}-`
  }
  return function newId() {
    const now = readMs()
    // Set back by more than a clock is corrected by, it was wrong before.
    if (now > ms || now < ms - SECOND_MS) startAt(now)
    else if (++count > MAX_COUNT) startAt(ms + 1)
    return `${time}${(VERSION_7 + count).toString(16)}${randomUUID().slice(18)}`
  }
}

function buildUuidBound(ms: number, bound: string) {
  return `${formatUuidTime(Math.max(0, ms))}${bound.slice(13)}`
}

function formatUuidTime(ms: number) {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
