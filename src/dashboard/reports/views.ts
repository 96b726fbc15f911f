// The view models of the reports.
import type { LoadedPage } from '../layout/page.ts'
import type { loadClosingPage } from './closing.ts'
import type { loadReports } from './reports.ts'

type ShownReport = NonNullable<Awaited<ReturnType<typeof loadReports>>['report']>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/reports/reports': LoadedPage<typeof loadReports>
    'dashboard/reports/closing': LoadedPage<typeof loadClosingPage>
    'dashboard/reports/closing-tables': Views['dashboard/reports/closing']
    'dashboard/reports/closing-days': Views['dashboard/reports/closing']
    'dashboard/reports/figures': { report: ShownReport }
    'dashboard/reports/chart': { report: ShownReport }
    'dashboard/reports/table': { report: ShownReport }
    'dashboard/reports/table-cells': { cells: ShownReport['total']; has: ShownReport['has'] }
  }
}
