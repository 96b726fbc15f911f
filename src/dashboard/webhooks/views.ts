// The view models of the webhooks: endpoints and deliveries.
import type { SelectOption } from '../layout/forms/views.ts'
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { toDeliveryDetails, toDeliveryRow } from './delivery-view.ts'
import type { loadEndpointDetail } from './endpoint.ts'
import type { buildEventChoices, toEndpointRow } from './endpoint-view.ts'

type DeliveryRow = ReturnType<typeof toDeliveryRow>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/webhooks/endpoints': DashboardPage<{
      endpoints: ReturnType<typeof toEndpointRow>[]
      /** How many there may be, once there are so many. */
      most: number | null
    }>
    'dashboard/webhooks/endpoint-detail': DashboardPage<
      Awaited<ReturnType<typeof loadEndpointDetail>>
    >
    'dashboard/webhooks/endpoint-edit': DashboardPage<{
      form: { id: string; url: string }
      choices: ReturnType<typeof buildEventChoices>
      /** A value that is kept is not shown. */
      headers: { name: string; value: string; isKept: boolean }[]
      /** The endpoint that the form changes; null for a new one. */
      link: { text: string; href: string } | null
      action: string
    }>
    /** Shown this once. */
    'dashboard/webhooks/redirect-secret': DashboardPage<{ secret: string }>
    'dashboard/webhooks/deliveries': DashboardPage<{
      deliveries: DeliveryRow[]
      filters: Record<'endpoint' | 'type' | 'status' | 'dias', string>
      options: Record<'endpoints' | 'types' | 'states' | 'days', SelectOption[]>
      filterCount: number
      hasEndpoints: boolean
      filter: string
      pager: Pager
    }>
    /** A narrow table is of one endpoint, and in a wide one rows are chosen. */
    'dashboard/webhooks/delivery-rows': {
      deliveries: DeliveryRow[]
      caption: string
      isWide: boolean
    }
    'dashboard/webhooks/delivery': DashboardPage<{
      delivery: ReturnType<typeof toDeliveryDetails>
      transaction: { id: string; href: string } | null
    }>
    'dashboard/webhooks/resend': DashboardPage<{
      form: Record<'quais' | 'desde' | 'ate' | 'type' | 'endpoint', string>
      which: SelectOption[]
      endpoints: SelectOption[]
      types: SelectOption[]
      days: number
      /** There is nothing to send again. */
      isNone: boolean
    }>
    // Parts of a page are given all that it is.
    'dashboard/webhooks/chosen': Views['dashboard/webhooks/deliveries']
    'dashboard/webhooks/delivery-attempts': Views['dashboard/webhooks/delivery']
    'dashboard/webhooks/endpoint-troubles': Views['dashboard/webhooks/endpoint-detail']
    'dashboard/webhooks/endpoint-secret': Views['dashboard/webhooks/endpoint-detail']
  }
}
