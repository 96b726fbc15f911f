// A company's deliveries, a page at a time.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, gte, isNull, ne, type SQL } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { buildMinUuid } from '../../database/id.ts'
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
} from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { buildConditions, isAfter } from '../../lists/page.ts'
import { DELIVERY_COLUMNS } from './history.ts'

/** What people call the state of a delivery: `failed` is what failed last, tried again or not. */
export const DELIVERY_STATES = ['delivered', 'failed', 'given_up', 'queued'] as const
type DeliveryState = (typeof DELIVERY_STATES)[number]

type DeliveryFilters = {
  endpointId?: string | undefined
  type?: EventType | undefined
  state?: DeliveryState | undefined
  since?: Date | undefined
}

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveryPage>>[number]

/** Newest first, up to one more than `limit`. */
export async function listDeliveryPage(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & DeliveryFilters,
) {
  const conditions = buildConditions<DeliveryFilters>(
    {
      endpointId: (id) => eq(endpoints.id, id),
      type: (type) => eq(events.type, type),
      state: buildStateCondition,
      since: (at) => gte(deliveries.id, buildMinUuid(at.getTime())),
    },
    filters,
  )
  return db
    .select(DELIVERY_COLUMNS)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .where(
      and(
        eq(endpoints.companyId, companyId),
        isAfter(cursor, { id: deliveries.id, isDescending: true }),
        ...conditions,
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit + 1)
}

function buildStateCondition(state: DeliveryState): SQL | undefined {
  switch (state) {
    case 'delivered':
      return eq(deliveries.status, 'delivered')
    case 'failed':
      return and(ne(deliveries.status, 'delivered'), ne(deliveries.outcome, 'delivered'))
    case 'given_up':
      return eq(deliveries.status, 'failed')
    case 'queued':
      return and(eq(deliveries.status, 'pending'), isNull(deliveries.outcome))
  }
}
