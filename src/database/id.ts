import { createHmac, randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { SECOND_MS } from './instant.ts'

const VERSION_7 = 0x7000
const MAX_COUNT = 0xfff

/** Creates a UUIDv7: later ids sort later, so a list is paged by its primary key. */
export const newId = createIdSource(Date.now)

/** Creates an id of that instant, so that a period is a range of ids; within a millisecond they have no order. */
export function newIdAt(ms: number) {
  // Version 4 has its random bits at the same positions.
  return `${formatUuidTime(ms)}-7${randomUUID().slice(15)}`
}

/** The id of the request that creates a resource: a repeated request has the same id. */
export type CreateContext = { id: string; now: Date }

export const MIN_UUID = '00000000-0000-0000-0000-000000000000'
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether Postgres accepts the text as an id; it fails on all other texts. */
export function isUuid(text: string) {
  return UUID.test(text)
}

/** The least UUIDv7 of that millisecond. */
export function buildMinUuid(ms: number) {
  return buildUuidBound(ms, MIN_UUID)
}

/** The greatest UUIDv7 of that millisecond. */
export function buildMaxUuid(ms: number) {
  return buildUuidBound(ms, MAX_UUID)
}

/** Derives up to 4096 ids, in order, for things that are created together; the same `id` gives the same ids. */
export function deriveIds(id: string, count: number) {
  return Array.from({ length: count }, (_, i) => id.slice(0, -3) + i.toString(16).padStart(3, '0'))
}

/** Creates ten characters out of 57 that are not easily confused: 58 bits from a CSPRNG. */
export const newSlug = customAlphabet(
  '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  10,
)

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const TOKEN_LENGTH = 24

/** Creates 142 bits from a CSPRNG, for what must not be guessed, such as a payment's URL. */
export const newToken = customAlphabet(ALPHANUMERIC, TOKEN_LENGTH)

/** Derives a token that is as hard to guess as the given one; equal arguments give the same token. */
export function deriveToken(token: string, salt: string) {
  return createHmac('sha256', token).update(salt).digest('hex').slice(0, TOKEN_LENGTH)
}

/** A derived token has hexadecimal digits only; of new tokens one in 10^14 does. */
export function isDerivedToken(token: string) {
  return /^[\da-f]+$/.test(token)
}

export function formatUuid(hex: string) {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Creates ids that sort in the order of their creation: a count within the millisecond (RFC 9562, 6.2, method 1) and
 * 62 bits of a CSPRNG. `v7` of uuid asks the kernel for each id, and Node's own UUIDv7 do not keep the order.
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
    // A clock set back by more than a usual correction was wrong before.
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
