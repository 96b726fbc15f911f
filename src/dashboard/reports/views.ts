// The view model of the reports.
import type { DashboardPage } from '../layout/page.ts'
import type { readReportQuery } from './query.ts'
import type { toReportView } from './view.ts'

type ReportForm = Pick<ReturnType<typeof readReportQuery>, 'by' | 'fields' | 'tabs' | 'periods'>

type ShownReport = ReturnType<typeof toReportView> & { days: string; csv: string }

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/reports/reports': DashboardPage<
      ReportForm & {
        /** Null where the days that are asked for are none. */
        report: ShownReport | null
      }
    >
    'dashboard/reports/chart': { report: ShownReport }
    'dashboard/reports/table': { report: ShownReport }
  }
}
