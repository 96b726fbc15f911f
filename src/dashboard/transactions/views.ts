// The view models of the transactions.
import type { SelectOption } from '../layout/forms/views.ts'
import type { SortHead } from '../layout/lists/sorting.ts'
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { loadTransactionDetail } from './detail.ts'
import type { toDisputeListRow } from './dispute-view.ts'
import type { readTransactionFilter } from './filter.ts'
import type { buildRefundForm } from './refund-form.ts'
import type { toUnmatchedView } from './unmatched.ts'
import type { toPaymentRow, toTotalsView } from './view.ts'

type TransactionFilter = Omit<Awaited<ReturnType<typeof readTransactionFilter>>, 'wanted'>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/transactions/list': DashboardPage<
      TransactionFilter & {
        payments: (ReturnType<typeof toPaymentRow> & { net: string })[]
        totals: ReturnType<typeof toTotalsView> | null
        heads: Record<'createdAt' | 'totalCents', SortHead>
        /** As the address says it; empty for the newest first. */
        order: string
        orders: SelectOption[]
        isNew: boolean
        statuses: SelectOption[]
        methods: SelectOption[]
        pager: Pager
      }
    >
    'dashboard/transactions/disputes': DashboardPage<{
      tabs: TransactionFilter['tabs']
      current: 'disputes'
      disputes: ReturnType<typeof toDisputeListRow>[]
      status: string
      statuses: SelectOption[]
      pager: Pager
    }>
    'dashboard/transactions/unmatched': DashboardPage<{
      tabs: TransactionFilter['tabs']
      current: 'unmatched'
      unmatched: ReturnType<typeof toUnmatchedView>[]
      pager: Pager
    }>
    'dashboard/transactions/unmatched-payment': DashboardPage<
      ReturnType<typeof toUnmatchedView> & {
        endToEndId: string
        isReturning: boolean
        proposed: (ReturnType<typeof toPaymentRow> & { id: string })[]
      }
    >
    'dashboard/transactions/tabs': Pick<TransactionFilter, 'tabs'> & {
      current: TransactionFilter['current'] | 'unmatched' | 'disputes'
    }
    'dashboard/transactions/show': LoadedPage<typeof loadTransactionDetail>
    'dashboard/transactions/refund': DashboardPage<ReturnType<typeof buildRefundForm>>
    // Parts of a page are given all that it is.
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
