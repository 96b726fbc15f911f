// Records refused and failed API calls for the company's developers: key, route, reason and fields, never a value. No
// request waits for the write. Each company keeps its newest 1,000 calls, for seven days.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, desc, eq, gte, lt, sql } from '../database/drizzle.ts'
import { isUuid, newId } from '../database/id.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { apiKeys, failedCalls } from '../database/tables.ts'
import { toAppError } from '../http/errors.ts'
import type { PageQuery } from '../http/pagination.ts'
import { createMemoryLimiter } from '../http/rate-limit-store.ts'
import type { ApiNeeds } from '../http/zod.ts'
import { getRetentionStart, type PurgeOptions, purgeAgedRows } from '../queue/purge.ts'
import { createUnawaitedWriter } from '../queue/unawaited.ts'

export const FAILED_CALL_DAYS = 7
export const MAX_FAILED_CALLS = 1_000
/** For each company and process. */
export const MAX_FAILED_CALLS_A_MINUTE = 60
const LIMIT = { max: MAX_FAILED_CALLS_A_MINUTE, windowMs: MINUTE_MS }
const MAX_CALLS_A_STATEMENT = 500
const MAX_FIELDS = 20
const MAX_FIELD_LENGTH = 100
/** Field names as our schemas write them. Other names that a client sends could contain a value. */
const FIELD_PATTERN = /^[a-z_][\w-]*(?:\.(?:[a-z_][\w-]*|\d{1,4}))*$/i
const HIDDEN_FIELD = '…'

type FailedCall = typeof failedCalls.$inferInsert
/** Records calls after authentication; a call with an unknown key belongs to no company. */
export function trackFailedCalls(app: FastifyInstance, { db, log, now }: ApiNeeds) {
  const limiter = createMemoryLimiter(() => now().getTime())
  const failed = createUnawaitedWriter<FailedCall>({
    write: (calls) => writeFailedCalls(db, calls),
    maxItems: MAX_CALLS_A_STATEMENT,
    log,
    failure: 'failed calls could not be written',
  })
  app.addHook('onError', async (request, _reply, error) => {
    if (request.apiKeyId === '') return
    // A client that fails in a loop would fill the list.
    const { exceeded } = await limiter.countHit(request.company.id, LIMIT)
    if (!exceeded) failed.add(buildFailedCall(request, error, now()))
  })
  app.addHook('onClose', failed.close)
}

export type FailedCallRow = Awaited<ReturnType<typeof listFailedCalls>>[number]

type FailedCallFilters = {
  companyId: string
  apiKeyId?: string | undefined
  status?: number | undefined
  now: Date
}

/** Lists up to `limit + 1` calls below `cursor`, newest first. */
export async function listFailedCalls(
  db: Database,
  { companyId, apiKeyId, status, now, limit, cursor }: FailedCallFilters & PageQuery,
) {
  return db
    .select({
      id: failedCalls.id,
      method: failedCalls.method,
      route: failedCalls.route,
      status: failedCalls.status,
      code: failedCalls.code,
      fields: failedCalls.fields,
      requestId: failedCalls.requestId,
      createdAt: failedCalls.createdAt,
      keyName: apiKeys.name,
      keyLastFour: apiKeys.lastFour,
    })
    .from(failedCalls)
    .innerJoin(apiKeys, eq(apiKeys.id, failedCalls.apiKeyId))
    .where(
      and(
        eq(failedCalls.companyId, companyId),
        gte(failedCalls.createdAt, getRetentionStart(now, FAILED_CALL_DAYS)),
        lt(failedCalls.id, cursor),
        apiKeyId && isUuid(apiKeyId) ? eq(failedCalls.apiKeyId, apiKeyId) : undefined,
        status ? eq(failedCalls.status, status) : undefined,
      ),
    )
    .orderBy(desc(failedCalls.id))
    .limit(limit + 1)
}

/** Lists the keys with failed calls, each with the statuses of its answers. */
export async function listFailedCallKinds(db: Database, companyId: string) {
  return db
    .selectDistinct({
      apiKeyId: failedCalls.apiKeyId,
      keyName: apiKeys.name,
      keyLastFour: apiKeys.lastFour,
      status: failedCalls.status,
    })
    .from(failedCalls)
    .innerJoin(apiKeys, eq(apiKeys.id, failedCalls.apiKeyId))
    .where(eq(failedCalls.companyId, companyId))
    .orderBy(apiKeys.name, failedCalls.apiKeyId, failedCalls.status)
}

export async function purgeFailedCalls(
  db: Database,
  now: Date,
  { after }: Pick<PurgeOptions, 'after'>,
) {
  const start = getRetentionStart(now, FAILED_CALL_DAYS)
  return purgeAgedRows(db, failedCalls, { start, after })
}

/** Stores only the route's pattern: the values in an address may be personal data. */
function buildFailedCall(request: FastifyRequest, error: unknown, at: Date): FailedCall {
  const { statusCode, code, errors = [] } = toAppError(error)
  return {
    id: newId(),
    companyId: request.company.id,
    apiKeyId: request.apiKeyId,
    method: request.method,
    route: request.refusedPath ?? request.routeOptions.url ?? null,
    status: statusCode,
    code: code || null,
    fields: [...new Set(errors.map(({ field }) => hideUnknownName(field)))].slice(0, MAX_FIELDS),
    requestId: request.id,
    createdAt: at.toISOString(),
  }
}

function hideUnknownName(field: string) {
  return field.length <= MAX_FIELD_LENGTH && FIELD_PATTERN.test(field) ? field : HIDDEN_FIELD
}

/** Inserts the calls and deletes the company's oldest ones; it skips rows that another process has locked. */
async function writeFailedCalls(db: Database, calls: FailedCall[]) {
  await db.insert(failedCalls).values(calls)
  const companyIds = [...new Set(calls.map(({ companyId }) => companyId))]
  await db.execute(sql`
    delete from failed_calls where id = any(array(
      select id from failed_calls where id in (
        select old.id from unnest(${sql.param(companyIds)}::uuid[]) company (id)
        cross join lateral (
          select id from failed_calls where company_id = company.id
          order by id desc offset ${MAX_FAILED_CALLS} limit ${MAX_CALLS_A_STATEMENT}
        ) old
      )
      for update skip locked))`)
}
