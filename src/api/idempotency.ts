// `Idempotency-Key`: a repeated request gets the first answer and is carried out once. The key is claimed before the
// request is validated and keeps its answer for a day; a refused request releases it. It belongs to its API key:
// another API key may use the same text for another request. If the process dies or the answer is a 5xx, the next
// request with the key takes over with the same resource id, so that it finds the resource of the first one instead of
// creating a second.

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, eq, isNull, lt, lte, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { newId } from '../database/id.ts'
import { addDelay, MINUTE_MS } from '../database/instant.ts'
import { idempotencyKeys } from '../database/tables.ts'
import { containsCardData } from '../http/card-data.ts'
import { AppError, invalidFieldsError, notFoundError } from '../http/errors.ts'
import type { ApiNeeds } from '../http/zod.ts'
import { getRetentionStart, purgeRows } from '../queue/purge.ts'
import { texts } from '../texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id for the resource that this request creates. */
    resourceId: string
    /** When the request was first sent, also for a repetition. */
    requestedAt: Date
    idempotency: IdempotencyClaim | null
    /** Whether the answer refuses everything that was asked for, although its status is no 4xx. */
    isRefused: boolean
  }
  interface FastifyContextConfig {
    /** Refuses requests without an Idempotency-Key. */
    needsIdempotencyKey?: boolean
  }
}

/** `leasedUntil` distinguishes this claim from a later one of the same key: only the current claim may write. */
type IdempotencyClaim = {
  companyId: string
  route: string
  key: string
  leasedUntil: string
  /** The earlier request with this key may have been carried out. */
  isTakeover: boolean
}
type StoredResponse = { status: number; body: string; location: string | null }

/**
 * Stored answers are encrypted: some have a secret that is shown only once, others personal data that must be erasable.
 */
const IDEMPOTENCY_HEADER = 'idempotency-key'
const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/
const KEY_RETENTION_DAYS = 1
/** Longer than any request takes. */
const REQUEST_LEASE_MS = MINUTE_MS
const RELEASED_AT = new Date(0).toISOString()
const BODY_PLACE = 'idempotency_keys.body'

export function registerIdempotency(app: FastifyInstance, needs: ApiNeeds) {
  app.decorateRequest('resourceId', '')
  app.decorateRequest('requestedAt')
  app.decorateRequest('idempotency', null)
  app.decorateRequest('isRefused', false)

  // Runs before validation: a value that was valid in the first request, such as a future date, may be invalid now, but
  // the repeated request must get the first answer.
  app.addHook('preValidation', (request, reply, done) => {
    const { method } = request
    if (method !== 'POST' && method !== 'PATCH') return done()
    request.resourceId = newId()
    request.requestedAt = needs.now()
    const key = readIdempotencyKey(request)
    if (key === undefined) return done()
    void claimIdempotencyKey(needs, request, key).then((answered) => {
      if (answered) void replayResponse(reply, answered)
      else done()
    }, done)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.idempotency) return done()
    void storeResponse(needs, request.idempotency, reply, payload)
      // The request was carried out, so its answer is sent. A repetition after the lease finds the resource.
      .catch((err: unknown) =>
        request.log.warn({ reqId: request.id, err }, 'an answer could not be stored'),
      )
      .then(() => done())
  })
}

export async function purgeIdempotencyKeys(db: Database, now: Date) {
  const start = getRetentionStart(now, KEY_RETENTION_DAYS)
  return purgeRows(db, idempotencyKeys, lt(idempotencyKeys.createdAt, start))
}

function readIdempotencyKey({ headers, routeOptions: { config } }: FastifyRequest) {
  const key = unquote(headers[IDEMPOTENCY_HEADER])
  // An unknown address or method is refused anyway and claims no key.
  if (!config.resource || (key === undefined && !config.needsIdempotencyKey)) return undefined
  if (containsCardData(key)) throw buildKeyError('card_data', texts.cardDataRefused)
  if (typeof key === 'string' && IDEMPOTENCY_KEY_PATTERN.test(key)) return key
  throw key === undefined
    ? buildKeyError('required', texts.idempotency.required)
    : buildKeyError('invalid_format', texts.idempotency.shape)
}

/** Removes the quotes of a string in a structured field (RFC 9651). */
function unquote(value: string | string[] | undefined) {
  return typeof value === 'string' ? value.replace(/^"(.*)"$/, '$1') : value
}

function buildKeyError(code: string, message: string) {
  return invalidFieldsError([{ field: 'Idempotency-Key', code, message }])
}

/** Claims the key, or returns the answer that is stored for it. Throws while another request holds it. */
async function claimIdempotencyKey(needs: ApiNeeds, request: FastifyRequest, key: string) {
  const at = request.requestedAt
  const { apiKeyId } = request
  const requestHash = hashRequest(request)
  const leasedUntil = addDelay(at, REQUEST_LEASE_MS)
  const claimed = { companyId: request.company.id, route: getRouteKey(request), key, leasedUntil }
  const outdated = lt(idempotencyKeys.createdAt, getRetentionStart(at, KEY_RETENTION_DAYS))
  const abandoned = and(
    isNull(idempotencyKeys.status),
    lte(idempotencyKeys.leasedUntil, at.toISOString()),
    eq(idempotencyKeys.requestHash, requestHash),
    eq(idempotencyKeys.apiKeyId, apiKeyId),
  )
  const [taken] = await needs.db
    .insert(idempotencyKeys)
    .values({
      ...claimed,
      apiKeyId,
      requestHash,
      resourceId: request.resourceId,
      createdAt: at.toISOString(),
    })
    .onConflictDoUpdate({
      target: [idempotencyKeys.companyId, idempotencyKeys.route, idempotencyKeys.key],
      set: {
        apiKeyId,
        requestHash: sql`excluded.request_hash`,
        resourceId: sql`case when ${outdated} then excluded.resource_id else ${idempotencyKeys.resourceId} end`,
        createdAt: sql`case when ${outdated} then excluded.created_at else ${idempotencyKeys.createdAt} end`,
        leasedUntil: sql`excluded.leased_until`,
        status: null,
        body: null,
        location: null,
      },
      setWhere: sql`${outdated} or ${abandoned}`,
    })
    .returning({ resourceId: idempotencyKeys.resourceId, createdAt: idempotencyKeys.createdAt })
  if (!taken) {
    const [row] = await needs.db.select().from(idempotencyKeys).where(buildClaimCondition(claimed))
    // A key that is sent never has a blank.
    if (row && row.apiKeyId !== apiKeyId)
      return claimIdempotencyKey(needs, request, `${key} ${apiKeyId}`)
    return readStoredResponse(needs.cipher, row, requestHash, at)
  }
  request.idempotency = { ...claimed, isTakeover: taken.resourceId !== request.resourceId }
  request.resourceId = taken.resourceId
  request.requestedAt = new Date(taken.createdAt)
  return undefined
}

function readStoredResponse(
  cipher: Cipher,
  row: typeof idempotencyKeys.$inferSelect | undefined,
  requestHash: Buffer,
  now: Date,
): StoredResponse {
  if (row && !row.requestHash.equals(requestHash)) {
    throw new AppError(422, 'idempotency_mismatch', texts.idempotency.mismatch)
  }
  // A missing row was deleted just now, by the purge or by a refusal.
  if (!row || row.status === null) {
    const headers = { 'retry-after': String(row ? getWaitSeconds(row, now) : 1) }
    throw new AppError(409, 'idempotency_in_progress', texts.idempotency.inProgress, { headers })
  }
  // The answer was erased, because it was about a person who is anonymized (customers/anonymize.ts).
  if (row.body === null) throw notFoundError()
  const body = cipher.decrypt(Buffer.from(row.body, 'base64'), BODY_PLACE, toBodyRowId(row))
  return { status: row.status, body, location: row.location }
}

/**
 * Three times as long as the first request has run, until its lease ends. A request in progress is soon repeated; after a
 * crash five repetitions outlast the lease.
 */
function getWaitSeconds({ leasedUntil }: { leasedUntil: string | null }, now: Date) {
  const leftMs = leasedUntil === null ? 0 : Date.parse(leasedUntil) - now.getTime()
  const waitMs = Math.min(3 * (REQUEST_LEASE_MS - leftMs), leftMs)
  return Math.max(1, Math.ceil(waitMs / 1000))
}

function replayResponse(reply: FastifyReply, { status, body, location }: StoredResponse) {
  if (location) reply.header('location', location)
  return reply
    .code(status)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)
}

/** Stores the answer before it is sent, or releases the key when a repetition may succeed. */
async function storeResponse(
  { db, cipher }: ApiNeeds,
  claimed: IdempotencyClaim,
  reply: FastifyReply,
  payload: unknown,
) {
  const status = reply.statusCode
  const isRefused = reply.request.isRefused || (status >= 400 && status < 500)
  const ours = and(
    buildClaimCondition(claimed),
    eq(idempotencyKeys.leasedUntil, claimed.leasedUntil),
  )
  if (isRefused && !claimed.isTakeover) {
    await db.delete(idempotencyKeys).where(ours)
    return
  }
  const location = reply.getHeader('location')
  const text = typeof payload === 'string' ? payload : ''
  const kept = {
    status,
    body: cipher.encrypt(text, BODY_PLACE, toBodyRowId(claimed)).toString('base64'),
    location: typeof location === 'string' ? location : null,
    leasedUntil: null,
  }
  // The row stays in both cases, since a failed request may have created the resource with its id.
  await db
    .update(idempotencyKeys)
    .set(status >= 400 ? { leasedUntil: RELEASED_AT } : kept)
    .where(ours)
}

type KeyOwner = Pick<IdempotencyClaim, 'companyId' | 'route' | 'key'>

function toBodyRowId({ companyId, route, key }: KeyOwner) {
  return `${companyId} ${route} ${key}`
}

function buildClaimCondition({ companyId, route, key }: KeyOwner) {
  return and(
    eq(idempotencyKeys.companyId, companyId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.key, key),
  )
}

const MAX_ROUTE_LENGTH = 255
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/**
 * Returns method and path in one form: ids in lower case, and no needless percent-encoding. A path that is longer than
 * all of ours is replaced by its digest, since an index refuses long texts.
 */
function getRouteKey({ method, url }: FastifyRequest) {
  // Encodes the path again in one way. Characters such as NUL stay encoded, since Postgres refuses them.
  const path = encodeURI(decodeURIComponent(getUrlPath(url))).replace(/\/+$/, '')
  const route = `${method} ${path.replace(UUIDS, (id) => id.toLowerCase())}`
  return route.length <= MAX_ROUTE_LENGTH ? route : `${method} ${hash('sha256', route)}`
}

function hashRequest({ url, body }: FastifyRequest) {
  const query = url.slice(getUrlPath(url).length)
  return hash('sha256', JSON.stringify([query, sortJsonKeys(body ?? null)]), 'buffer')
}

/** Sorts the fields, since some languages write them in a random order. */
function sortJsonKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortJsonKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortJsonKeys(inner)]))
}

function getUrlPath(url: string) {
  const [path = url] = url.split('?', 1)
  return path
}
