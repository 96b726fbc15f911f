// The view models of the dashboard's first page.

import type { DashboardPage } from '../layout/page.ts'
import type { ColumnChart } from '../layout/values/chart.ts'
import type { toPaymentRow } from '../transactions/view.ts'
import type { FirstStep } from './first-steps.ts'

type Figure = {
  name: string
  value: string
  count: string
  refunded: string | null
  /** Against the period before. */
  change: { text: string; tone: 'up' | 'down' | 'same' } | null
}

type MethodShare = {
  name: string
  value: string
  count: string
  /** Of the amount, in percent. */
  share: number
  rate: string | null
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/home/home': DashboardPage<{
      figures: Figure[]
      approval: { rate: string; note: string }
      methods: MethodShare[]
      chart: ColumnChart
      legend: { now: string; before: string }
      days: { day: string; text: string; value: string; previous: string; count: string }[]
      last: ReturnType<typeof toPaymentRow>[]
      /** What needs a look. */
      looks: { text: string; href: string | null }[]
      /** Null once all of them are done, and for who has put them away. */
      first: { steps: FirstStep[]; progress: string } | null
      curl: string
      /** Else no link can be made in this environment. */
      canBePaid: boolean
    }>
    'dashboard/home/first-key': DashboardPage<{ key: string; curl: string }>
    // Parts of a page are given all that it is.
    'dashboard/home/first-steps': Views['dashboard/home/home']
    'dashboard/home/first-step': { step: FirstStep; csrf: string }
    'dashboard/home/figures': Views['dashboard/home/home']
    'dashboard/home/charts': Views['dashboard/home/home']
    'dashboard/home/last-payments': Views['dashboard/home/home']
  }
}
