// What the page of one endpoint tells: what is wrong, what was sent last, its events and its secret.

import type { Company } from '../../companies/company.ts'
import { MAX_UUID } from '../../database/id.ts'
import { listDeliveries } from '../../webhooks/deliveries/history.ts'
import type { EndpointRow } from '../../webhooks/endpoints/endpoint.ts'
import { loadEndpointHealth } from '../../webhooks/endpoints/health.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { DELIVERIES_PATH } from '../layout/paths.ts'
import { toDeliveryRow } from './delivery-view.ts'
import { EVENT_TYPE_OPTIONS, toEndpointDetails } from './endpoint-view.ts'

const LAST_DELIVERIES = 6

/** @param secret Where somebody asked to see it. */
export async function loadEndpointDetail(
  { db, now }: DashboardNeeds,
  { id: companyId, testMode }: Company,
  row: EndpointRow,
  secret: string | null = null,
) {
  const last = { cursor: MAX_UUID, limit: LAST_DELIVERIES, companyId, endpointId: row.id }
  const [health, rows] = await Promise.all([
    loadEndpointHealth(db, companyId, now()),
    listDeliveries(db, last),
  ])
  return {
    title: row.url,
    section: 'integracoes' as const,
    endpoint: toEndpointDetails(row, health.get(row.id), now()),
    deliveries: rows.slice(0, LAST_DELIVERIES).map((delivery) => toDeliveryRow(delivery, now())),
    allDeliveries: `${DELIVERIES_PATH}?endpoint=${row.id}`,
    /** Null where no test event may be sent. */
    testTypes: testMode && !row.disabledAt ? EVENT_TYPE_OPTIONS : null,
    secret,
  }
}
