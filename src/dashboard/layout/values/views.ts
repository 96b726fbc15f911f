// The view models of values: badges, charts.
import type { Badge } from './badge.ts'
import type { ColumnChart } from './chart.ts'
import type { toTimeView } from './time.ts'

export type TimeView = ReturnType<typeof toTimeView>

declare module '../../../http/html.ts' {
  interface Views {
    'dashboard/layout/values/badge': Badge
    'dashboard/layout/values/chart': {
      chart: ColumnChart
      label: string
      /** The meaning of the two bars of a column, if there are two. */
      legend: { now: string; before: string } | null
    }
    /** A value to copy, selectable without JavaScript. */
    'dashboard/layout/values/copy': { id: string; label: string; value: string; multiline?: number }
    /** An e-mail address that wraps at readable places. */
    'dashboard/layout/values/email': { email: string }
    'dashboard/layout/values/share-bar': { width: number }
    'dashboard/layout/values/time': TimeView
  }
}
