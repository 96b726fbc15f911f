// The view models of the customers.
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { toLinkRow } from '../links/view.ts'
import type { toPaymentRow } from '../transactions/view.ts'
import type { CustomerForm } from './form.ts'
import type { toCustomerDetails, toCustomerRow } from './view.ts'

type Named = { name: string; href: string }

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/customers/list': DashboardPage<{
      customers: ReturnType<typeof toCustomerRow>[]
      q: string
      /** How many there are, in words; null of what was searched for. */
      total: string | null
      isNew: boolean
      pager: Pager
    }>
    'dashboard/customers/show': DashboardPage<{
      customer: ReturnType<typeof toCustomerDetails>
      paid: { net: string; gross: string; refunded: string | null; count: string }
      payments: ReturnType<typeof toPaymentRow>[]
      links: ReturnType<typeof toLinkRow>[]
      newLink: string
      pager: Pager
    }>
    'dashboard/customers/edit': DashboardPage<{
      form: CustomerForm
      /** Whom the form changes; null for a new one. */
      customer: Named | null
      /** Who has the document already. */
      known: Named | null
      action: string
    }>
    // Parts of a page are given all that it is.
    'dashboard/customers/payments': Views['dashboard/customers/show']
  }
}
