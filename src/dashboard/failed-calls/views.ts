// The view model of the failed calls.
import type { SelectOption } from '../layout/forms/views.ts'
import type { Pager } from '../layout/lists/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { toFailedCallRow } from './list.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/failed-calls/list': DashboardPage<{
      calls: ReturnType<typeof toFailedCallRow>[]
      filters: Record<'chave' | 'status', string>
      options: Record<'keys' | 'statuses', SelectOption[]>
      filterCount: number
      days: number
      pager: Pager
    }>
  }
}
