// The view models of the transactions.
import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { PAYMENT_TABS } from '../layout/paths.ts'
import type { loadTransactionDetail } from './detail.ts'
import type { loadDisputes } from './disputes.ts'
import type { loadTransactionList } from './list.ts'
import type { buildRefundForm } from './refund-form.ts'
import type { loadUnmatched, loadUnmatchedPayment } from './unmatched.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/transactions/list': LoadedPage<typeof loadTransactionList>
    'dashboard/transactions/disputes': LoadedPage<typeof loadDisputes>
    'dashboard/transactions/unmatched': LoadedPage<typeof loadUnmatched>
    'dashboard/transactions/unmatched-payment': LoadedPage<typeof loadUnmatchedPayment>
    'dashboard/transactions/tabs': {
      tabs: typeof PAYMENT_TABS
      current: 'all' | 'held' | 'unmatched' | 'disputes'
    }
    'dashboard/transactions/show': LoadedPage<typeof loadTransactionDetail>
    'dashboard/transactions/refund': DashboardPage<ReturnType<typeof buildRefundForm>>
    // Parts of a page get the page's whole view model.
    'dashboard/transactions/filters': Views['dashboard/transactions/list']
    'dashboard/transactions/rows': Views['dashboard/transactions/list']
    'dashboard/transactions/empty': Views['dashboard/transactions/list']
    'dashboard/transactions/notices': Views['dashboard/transactions/show']
    'dashboard/transactions/unwanted': Views['dashboard/transactions/show']
    'dashboard/transactions/amounts': Views['dashboard/transactions/show']
    'dashboard/transactions/surplus': Views['dashboard/transactions/show']
    'dashboard/transactions/incoming': Views['dashboard/transactions/show']
    'dashboard/transactions/payment-disputes': Views['dashboard/transactions/show']
    'dashboard/transactions/timeline': Views['dashboard/transactions/show']
    'dashboard/transactions/payer': Views['dashboard/transactions/show']
    'dashboard/transactions/instrument': Views['dashboard/transactions/show']
    'dashboard/transactions/facts': Views['dashboard/transactions/show']
  }
}
