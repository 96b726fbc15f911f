// The view models of the search.
import type { DashboardPage } from '../layout/page.ts'
import type { FoundGroup } from './view.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/search/page': DashboardPage<{ q: string; groups: FoundGroup[] }>
  }
}
