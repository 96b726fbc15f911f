// `Idempotency-Key`: the same request sent again is answered again, and carried out once. The key is
// claimed before the handler runs and keeps its answer for a day. Should the process die in between,
// whoever sends the request again takes over with the same resource id, so that what was made the
// first time is found instead of made twice.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, eq, isNull, lt, sql } from '../database/drizzle.ts'
import { newId } from '../database/id.ts'
import { idempotencyKeys } from '../database/tables.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { texts } from '../texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id that what this request makes shall have. */
    resourceId: string
    idempotency: Claim | null
  }
  interface FastifyContextConfig {
    /** Refuses the request without an Idempotency-Key. */
    needsIdempotencyKey?: boolean
  }
}

type Claim = { companyId: string; route: string; key: string }
type Needs = { db: Database; now: () => Date }

const HEADER = 'idempotency-key'
const SHAPE = /^[\x21-\x7e]{1,255}$/
const KEPT_MS = 24 * 3600 * 1000
/** Longer than any request may take. */
const LEASE_MS = 60_000
const FORGET_BATCH = 5_000

/** For a scope whose requests are authenticated. */
export function keepAnswers(app: FastifyInstance, needs: Needs) {
  app.decorateRequest('resourceId', '')
  app.decorateRequest('idempotency', null)

  app.addHook('preHandler', async (request, reply) => {
    const { method } = request
    if (method !== 'POST' && method !== 'PATCH') return
    request.resourceId = newId()
    const key = readKey(request)
    if (key === undefined) return
    const route = `${method} ${request.url}`
    const answered = await claim(needs, request, { companyId: request.company.id, route, key })
    if (answered) return replay(reply, answered)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.idempotency) return
    await settle(needs.db, request.idempotency, reply, payload)
  })
}

/** Deletes what is older than a day; a day's keys of a busy company are many, so in batches. */
export async function forgetOldAnswers(db: Database, now: Date) {
  const old = lt(idempotencyKeys.createdAt, new Date(now.getTime() - KEPT_MS).toISOString())
  for (;;) {
    const some = sql`ctid in (select ctid from idempotency_keys where ${old} limit ${FORGET_BATCH})`
    const { rowCount } = await db.delete(idempotencyKeys).where(some)
    if ((rowCount ?? 0) < FORGET_BATCH) return
  }
}

function readKey({ headers, routeOptions }: FastifyRequest) {
  const key = headers[HEADER]
  if (key === undefined && !routeOptions.config.needsIdempotencyKey) return undefined
  if (typeof key === 'string' && SHAPE.test(key)) return key
  const missing = key === undefined
  throw invalidFields([
    {
      field: 'Idempotency-Key',
      code: missing ? 'required' : 'invalid_format',
      message: missing ? texts.idempotency.required : texts.idempotency.shape,
    },
  ])
}

/** Takes the key for this request, or answers what it was answered before. Throws while another has it. */
async function claim({ db, now }: Needs, request: FastifyRequest, claimed: Claim) {
  const at = now()
  const requestHash = createHash('sha256')
    .update(JSON.stringify(request.body ?? null))
    .digest()
  const outdated = lt(idempotencyKeys.createdAt, new Date(at.getTime() - KEPT_MS).toISOString())
  const abandoned = and(
    isNull(idempotencyKeys.status),
    lt(idempotencyKeys.leasedUntil, at.toISOString()),
    eq(idempotencyKeys.requestHash, requestHash),
  )
  const [taken] = await db
    .insert(idempotencyKeys)
    .values({
      ...claimed,
      requestHash,
      resourceId: request.resourceId,
      leasedUntil: new Date(at.getTime() + LEASE_MS).toISOString(),
      createdAt: at.toISOString(),
    })
    .onConflictDoUpdate({
      target: [idempotencyKeys.companyId, idempotencyKeys.route, idempotencyKeys.key],
      set: {
        requestHash: sql`excluded.request_hash`,
        resourceId: sql`case when ${outdated} then excluded.resource_id else ${idempotencyKeys.resourceId} end`,
        leasedUntil: sql`excluded.leased_until`,
        createdAt: sql`excluded.created_at`,
        status: null,
        body: null,
        location: null,
      },
      setWhere: sql`${outdated} or ${abandoned}`,
    })
    .returning({ resourceId: idempotencyKeys.resourceId })
  if (!taken) return answerOf(db, claimed, requestHash)
  request.resourceId = taken.resourceId
  request.idempotency = claimed
  return undefined
}

async function answerOf(db: Database, claimed: Claim, requestHash: Buffer) {
  const [row] = await db.select().from(idempotencyKeys).where(is(claimed))
  if (row && !row.requestHash.equals(requestHash)) {
    throw new AppError(422, 'idempotency_mismatch', texts.idempotency.mismatch)
  }
  // Gone means that the first request has just failed and given the key back.
  if (!row || row.status === null || row.body === null) {
    throw new AppError(409, 'idempotency_in_progress', texts.idempotency.inProgress)
  }
  return { status: row.status, body: row.body, location: row.location }
}

function replay(
  reply: FastifyReply,
  answer: { status: number; body: string; location: string | null },
) {
  if (answer.location) reply.header('location', answer.location)
  return reply
    .code(answer.status)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((body: string) => body)
    .send(answer.body)
}

/** Before the answer leaves: keeps it, or gives the key back when trying again may go better. */
async function settle(db: Database, claimed: Claim, reply: FastifyReply, payload: unknown) {
  const status = reply.statusCode
  if (status >= 500 || status === 429) {
    await db.delete(idempotencyKeys).where(is(claimed))
    return
  }
  const location = reply.getHeader('location')
  await db
    .update(idempotencyKeys)
    .set({
      status,
      body: typeof payload === 'string' ? payload : '',
      location: typeof location === 'string' ? location : null,
      leasedUntil: null,
    })
    .where(is(claimed))
}

function is({ companyId, route, key }: Claim) {
  return and(
    eq(idempotencyKeys.companyId, companyId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.key, key),
  )
}
