// `/metrics`, for callers with its token. The gauges are read at each request: those of this process, and those of the
// database, which all processes share. Reading has a time limit, and no query runs twice at the same time: while the
// database is unreachable or slow, its figures are left out, and all others are still answered in time.
import { hash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { MAIL_UNREACHABLE } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { SECOND_MS } from '../database/instant.ts'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'
import { METRICS_PATH } from './lifecycle.ts'
import type { GaugeName, Metrics } from './metrics.ts'

type MetricsRouteNeeds = {
  metrics: Metrics
  token: string
  db: Database
  requireReady(): Promise<void>
  now: () => Date
}

/** Prometheus waits 10 seconds for the whole answer. */
const SAMPLE_TIMEOUT_MS = 3 * SECOND_MS
/** At most this many deliveries of each endpoint are counted, and rows of each other queue read. */
const MAX_COUNTED = 10_000

export function reportMetrics(
  app: FastifyInstance,
  { metrics, token, db, requireReady, now }: MetricsRouteNeeds,
) {
  const expected = hash('sha256', `Bearer ${token}`, 'buffer')
  const sampleReadiness = limitSample(() => requireReady().then(() => true))
  const sampleBacklog = limitSample(() => readBacklog(db, now()))

  app.get(METRICS_PATH, async (request, reply) => {
    const given = hash('sha256', request.headers.authorization ?? '', 'buffer')
    if (!timingSafeEqual(given, expected)) {
      const headers = { 'www-authenticate': 'Bearer' }
      throw new AppError(401, '', texts.metricsUnauthorized, { headers })
    }
    const [isReady, backlog] = await Promise.all([sampleReadiness(), sampleBacklog()])
    const { totalCount, idleCount, waitingCount } = db.$client
    metrics.setGauges({
      vintem_ready: Number(isReady ?? false),
      vintem_pool_connections_in_use: totalCount - idleCount,
      vintem_pool_connections_waiting: waitingCount,
      ...backlog,
    })
    reply.type(metrics.contentType)
    return metrics.format()
  })
}

/** Gives undefined when `read` fails or takes too long; a read that is still running is not started again. */
function limitSample<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let underWay: Promise<T | undefined> | undefined

  return async () => {
    underWay ??= read()
      .catch(() => undefined)
      .finally(() => {
        underWay = undefined
      })
    const waiting = new AbortController()
    const { signal } = waiting
    const patience = sleep(SAMPLE_TIMEOUT_MS, undefined, { ref: false, signal })
    return Promise.race([underWay, patience]).finally(() => waiting.abort())
  }
}

type Backlog = Record<Exclude<GaugeName, `vintem_${'ready' | `pool_${string}`}`>, number>

/**
 * Reads the work that waits in the database for any process: how much is due, and for how many seconds the first of it
 * has been; 0 without any. An index finds each, and each company's first payment in processing.
 */
export async function readBacklog(db: Database, now: Date): Promise<Backlog> {
  const at = now.toISOString()
  const age = (oldest: string) =>
    sql`greatest(0, coalesce(extract(epoch from ${at}::timestamptz - ${sql.raw(oldest)}), 0))::float8`
  // Deliveries of a disabled endpoint are not claimed. Those of an endpoint that may receive more at once wait only for
  // this service (keeping_up). The age of a mail that waits because our mail server was unreachable counts from its
  // creation.
  const { rows } = await db.execute<Backlog>(sql`
    select deliveries.due::int as vintem_webhook_deliveries_due,
      ${age('deliveries.oldest')} as vintem_webhook_oldest_due_seconds,
      ${age('deliveries.oldest_for_us')} as vintem_webhook_oldest_due_keeping_up_seconds,
      ${age('mails.oldest')} as vintem_mails_oldest_due_seconds,
      ${age('checks.oldest')} as vintem_checks_oldest_due_seconds,
      ${age('processing.oldest')} as vintem_payments_oldest_processing_seconds,
      pg_database_size(current_database())::float8 as vintem_database_size_bytes
    from (
      select coalesce(sum(waiting.due), 0) as due, min(waiting.oldest) as oldest,
        min(waiting.oldest) filter (where leased.count < endpoint.concurrency) as oldest_for_us
      from webhook_endpoints endpoint
      cross join lateral (
        select count(*) from webhook_deliveries where endpoint_id = endpoint.id and leased_until > ${at}
      ) leased
      cross join lateral (
        select count(*) as due, min(due_at) as oldest from (
          select due_at from webhook_deliveries
          where endpoint_id = endpoint.id and due_at <= ${at} order by due_at limit ${MAX_COUNTED}
        ) first
      ) waiting
      where endpoint.disabled_at is null
    ) deliveries
    cross join (
      select min(oldest) as oldest from (
        select case failure when ${MAIL_UNREACHABLE} then created_at else due_at end as oldest from mails
        where due_at <= ${at} or (due_at is not null and failure = ${MAIL_UNREACHABLE}) order by due_at limit ${MAX_COUNTED}
      ) first
    ) mails
    cross join (select min(check_at) as oldest from transactions where check_at <= ${at}) checks
    cross join (
      select min(first.created_at) as oldest
      from companies company
      cross join lateral (
        select created_at from transactions
        where company_id = company.id and status = 'processing' and hold_reason is null
        order by id limit 1
      ) first
    ) processing`)
  return requireFound(rows[0])
}
