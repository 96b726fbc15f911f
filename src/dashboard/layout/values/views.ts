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
      /** What the two bars of a column stand for, where there are two. */
      legend: { now: string; before: string } | null
    }
    /** A value to take away, selectable without JavaScript. */
    'dashboard/layout/values/copy': { id: string; label: string; value: string; multiline?: number }
    /** An address that breaks where people would break it. */
    'dashboard/layout/values/email': { email: string }
    'dashboard/layout/values/share-bar': { width: number }
    'dashboard/layout/values/time': TimeView
  }
}
