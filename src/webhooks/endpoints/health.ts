// The health of each endpoint of a company, from its newest deliveries, and the number of deliveries that fail now.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import type { DeliveryOutcome } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'

/** The deliveries of an endpoint that are read, including those that wait for their first attempt. */
const MAX_READ_DELIVERIES = 100
const HEALTH_WINDOW_MS = DAY_MS

export type EndpointHealth = ReturnType<typeof summarizeHealth>
type AttemptedDelivery = {
  endpointId: string
  id: string
  outcome: DeliveryOutcome
  statusCode: number | null
  isRecent: boolean
}

/** Returns the health by endpoint id, without endpoints that never had a delivery. */
export async function loadEndpointHealth(db: Database, companyId: string, now: Date) {
  const since = new Date(now.getTime() - HEALTH_WINDOW_MS).toISOString()
  const { rows } = await db.execute<AttemptedDelivery>(sql`
    select endpoint.id as "endpointId", newest.id, newest.outcome,
      newest.status_code as "statusCode", newest.created_at >= ${since} as "isRecent"
    from webhook_endpoints endpoint
    cross join lateral (
      select id, outcome, status_code, created_at from webhook_deliveries
      where endpoint_id = endpoint.id
      order by id desc limit ${MAX_READ_DELIVERIES}
    ) newest
    where endpoint.company_id = ${companyId} and newest.outcome is not null
    order by newest.id desc`)
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId)
  return new Map([...byEndpoint].map(([id, attempted]) => [id, summarizeHealth(attempted)]))
}

function summarizeHealth(attempted: AttemptedDelivery[]) {
  const recent = attempted.filter(({ isRecent }) => isRecent)
  const counted = recent.length > 0 ? recent : attempted.slice(0, 1)
  const failing = counted.filter(({ outcome }) => outcome !== 'delivered')
  return {
    /** Deliveries attempted in the last 24 hours, or else the last one ever attempted. */
    attempted: counted.length,
    failing: failing.length,
    isRecent: recent.length > 0,
    troubles: groupTroubles(failing),
  }
}

/** Groups failed deliveries by their reason, most frequent first, with the newest delivery of each. */
function groupTroubles(failing: AttemptedDelivery[]) {
  const alike = Map.groupBy(failing, ({ outcome, statusCode }) => `${outcome} ${statusCode}`)
  return [...alike.values()]
    .map((group) => {
      const { outcome, statusCode, id: deliveryId } = requireFound(group[0])
      return { outcome, statusCode, count: group.length, deliveryId }
    })
    .sort((a, b) => b.count - a.count)
}

/** Delivering takes less time than this, unless it is resent or its endpoint was disabled. */
const MAX_DELIVERY_LIFE_MS = 5 * DAY_MS

/** Counts deliveries with a failed last attempt at `since` or later, with or without another try. */
export async function countFailingDeliveries(db: Database, companyId: string, since: Date) {
  const first = buildMinUuid(since.getTime() - MAX_DELIVERY_LIFE_MS)
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count
    from webhook_endpoints endpoint
    join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id
    cross join lateral (
      select started_at, outcome from webhook_attempts
      where delivery_id = delivery.id order by number desc limit 1
    ) last
    where endpoint.company_id = ${companyId} and delivery.id >= ${first}
      and delivery.status <> 'delivered' and delivery.outcome is not null and last.started_at >= ${since.toISOString()}
      and last.outcome <> 'delivered'`)
  return requireFound(rows[0]).count
}
