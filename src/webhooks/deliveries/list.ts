// A company's deliveries, a page at a time. Each of its few endpoints has its deliveries in the order of
// their ids; what no index holds is looked for in a bounded window of them, and a page may then be short
// and still say where to go on.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid } from '../../database/id.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { findDeliveriesByIds, type ListedDelivery } from './history.ts'

/** What people call the state of a delivery: `failed` is what failed last, tried again or not. */
export const DELIVERY_STATES = ['delivered', 'failed', 'given_up', 'queued'] as const
type DeliveryState = (typeof DELIVERY_STATES)[number]

type DeliveryFilters = {
  endpointId?: string | undefined
  type?: EventType | undefined
  state?: DeliveryState | undefined
  since?: Date | undefined
}

/** Deliveries that are looked through for a page that has a filter. */
const DELIVERY_SCAN_ROWS = 2_000

const STATE_CONDITIONS: Record<DeliveryState, SQL> = {
  delivered: sql`looked.status = 'delivered'`,
  failed: sql`looked.status <> 'delivered' and looked.outcome <> 'delivered'`,
  given_up: sql`looked.status = 'failed'`,
  queued: sql`looked.status = 'pending' and looked.outcome is null`,
}

/** Newest first, up to one more than `limit`; `resumeBelow`: where to go on when the page is short. */
export async function listDeliveryPage(
  db: Database,
  companyId: string,
  { limit, cursor, endpointId, type, state, since }: PageQuery & DeliveryFilters,
): Promise<{ rows: ListedDelivery[]; resumeBelow: string | null }> {
  const scanRows = type || state ? DELIVERY_SCAN_ROWS : limit + 1
  const first = buildMinUuid(since?.getTime() ?? 0)
  const { rows: found } = await db.execute<{ ids: string[]; end: string | null }>(sql`
    with looked as materialized (
      select delivery.*
      from webhook_endpoints endpoint
      cross join lateral (
        select id, event_id, status, outcome from webhook_deliveries
        where endpoint_id = endpoint.id and id < ${cursor} and id >= ${first}
        order by id desc limit ${scanRows}
      ) delivery
      where endpoint.company_id = ${companyId}
        ${endpointId ? sql`and endpoint.id = ${endpointId}` : sql``}
      order by delivery.id desc limit ${scanRows}
    )
    select
      array(
        select looked.id from looked ${type ? joinEventsOfType(type) : sql``}
        where ${state ? STATE_CONDITIONS[state] : sql`true`}
        order by looked.id desc limit ${limit + 1}
      ) as ids,
      (select id from looked order by id desc offset ${scanRows - 1} limit 1) as end`)
  const { ids, end } = requireFound(found[0])
  return { rows: await findDeliveriesByIds(db, ids), resumeBelow: ids.length > limit ? null : end }
}

const joinEventsOfType = (type: EventType) =>
  sql`join events event on event.id = looked.event_id and event.type = ${type}`
