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
      /** The maximum number of endpoints, once it is reached. */
      most: number | null
    }>
    'dashboard/webhooks/endpoint-detail': DashboardPage<
      Awaited<ReturnType<typeof loadEndpointDetail>>
    >
    'dashboard/webhooks/endpoint-edit': DashboardPage<{
      form: { id: string; url: string }
      choices: ReturnType<typeof buildEventChoices>
      /** A stored value is not shown. */
      headers: { name: string; value: string; isKept: boolean }[]
      /** The endpoint that the form changes; null for a new one. */
      link: { text: string; href: string } | null
      action: string
    }>
    /** Shown only once. */
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
    /** The narrow table belongs to one endpoint; in the wide one rows can be chosen. */
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
      /** There are no deliveries to resend. */
      isNone: boolean
    }>
    // Parts of a page get the page's whole view model.
    'dashboard/webhooks/chosen': Views['dashboard/webhooks/deliveries']
    'dashboard/webhooks/delivery-attempts': Views['dashboard/webhooks/delivery']
    'dashboard/webhooks/endpoint-troubles': Views['dashboard/webhooks/endpoint-detail']
    'dashboard/webhooks/endpoint-secret': Views['dashboard/webhooks/endpoint-detail']
  }
}
