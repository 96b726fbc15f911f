// Whether a company's webhooks fail to arrive.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'

/** It is tried for less than this, longer only where somebody resends or its endpoint was disabled. */
const MAX_DELIVERY_LIFE_MS = 5 * DAY_MS

/** How many deliveries were last attempted at `since` or later, in vain; tried again or not. */
export async function countFailingDeliveries(
  db: Database,
  companyId: string,
  since: Date,
): Promise<number> {
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
