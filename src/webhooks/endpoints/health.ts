// How each endpoint of a company fares, judged by the newest of its deliveries.
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import type { DeliveryOutcome } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'

/** So many deliveries of each endpoint are looked at, those that wait for their first attempt included. */
const NEWEST = 100
const RECENT_MS = DAY_MS

/** Why deliveries fail, and the newest that does so. */
export type Trouble = {
  outcome: DeliveryOutcome
  statusCode: number | null
  count: number
  deliveryId: string
}

export type Health = {
  /** Attempted in the last 24 hours; where there was nothing, the last that ever was. */
  attempted: number
  /** Of these, whose last attempt failed. */
  failing: number
  /** Whether they are of the last 24 hours. */
  isRecent: boolean
  /** The most frequent first. */
  troubles: Trouble[]
}

type Attempted = {
  endpointId: string
  id: string
  outcome: DeliveryOutcome
  statusCode: number | null
  isRecent: boolean
}

/** By the endpoint's id; one that nothing was ever sent to is not among them. */
export async function healthOfEndpoints(
  db: Database,
  companyId: string,
  now: Date,
): Promise<Map<string, Health>> {
  const since = new Date(now.getTime() - RECENT_MS).toISOString()
  const { rows } = await db.execute<Attempted>(sql`
    select endpoint.id as "endpointId", newest.id, newest.outcome,
      newest.status_code as "statusCode", newest.created_at >= ${since} as "isRecent"
    from webhook_endpoints endpoint
    cross join lateral (
      select id, outcome, status_code, created_at from webhook_deliveries
      where endpoint_id = endpoint.id
      order by id desc limit ${NEWEST}
    ) newest
    where endpoint.company_id = ${companyId} and newest.outcome is not null
    order by newest.id desc`)
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId)
  return new Map([...byEndpoint].map(([id, attempted]) => [id, judge(attempted)]))
}

function judge(attempted: Attempted[]): Health {
  const recent = attempted.filter(({ isRecent }) => isRecent)
  const judged = recent.length > 0 ? recent : attempted.slice(0, 1)
  const failing = judged.filter(({ outcome }) => outcome !== 'delivered')
  return {
    attempted: judged.length,
    failing: failing.length,
    isRecent: recent.length > 0,
    troubles: troublesOf(failing),
  }
}

function troublesOf(failing: Attempted[]): Trouble[] {
  const alike = Map.groupBy(failing, ({ outcome, statusCode }) => `${outcome} ${statusCode}`)
  return [...alike.values()]
    .map(([newest, ...older]) => {
      const { outcome, statusCode, id: deliveryId } = newest!
      return { outcome, statusCode, count: 1 + older.length, deliveryId }
    })
    .sort((a, b) => b.count - a.count)
}
