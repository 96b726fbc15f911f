// The view model of the reports.
import type { listTableLinks } from '../layout/exports.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { toClosingView } from './closing-view.ts'
import type { readReportQuery } from './query.ts'
import type { toReportView } from './view.ts'

type ReportForm = Pick<ReturnType<typeof readReportQuery>, 'by' | 'fields' | 'tabs' | 'periods'>

type ShownReport = ReturnType<typeof toReportView> & {
  tables: ReturnType<typeof listTableLinks>
  /** Its last day is today's. */
  isUnfinished: boolean
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/reports/reports': DashboardPage<
      ReportForm & {
        /** Null where the days that are asked for are none. */
        report: ShownReport | null
      }
    >
    'dashboard/reports/closing': DashboardPage<
      ReturnType<typeof toClosingView> & {
        months: { value: string; text: string; isChosen: boolean }[]
      }
    >
    'dashboard/reports/closing-tables': Views['dashboard/reports/closing']
    'dashboard/reports/closing-days': Views['dashboard/reports/closing']
    'dashboard/reports/figures': { report: ShownReport }
    'dashboard/reports/chart': { report: ShownReport }
    'dashboard/reports/table': { report: ShownReport }
    'dashboard/reports/table-cells': { cells: ShownReport['total']; has: ShownReport['has'] }
  }
}
