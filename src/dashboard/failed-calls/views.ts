// The view model of the calls that failed.
import type { DashboardPage } from '../layout/page.ts'
import type { Pager, SelectOption } from '../layout/views.ts'
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
