// The view models of the customers.
import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { CustomerForm } from './form.ts'
import type { loadCustomerList } from './list.ts'
import type { loadCustomer } from './show.ts'

type Named = { name: string; href: string }

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/customers/list': LoadedPage<typeof loadCustomerList>
    'dashboard/customers/show': LoadedPage<typeof loadCustomer>
    'dashboard/customers/edit': DashboardPage<{
      form: CustomerForm
      /** The customer that the form changes; null for a new one. */
      customer: Named | null
      /** The customer who already has the document. */
      known: Named | null
      action: string
    }>
    // Parts of a page get the page's whole view model.
    'dashboard/customers/payments': Views['dashboard/customers/show']
  }
}
