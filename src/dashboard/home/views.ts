// The view models of the dashboard's first page.

import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { FirstStep } from './first-steps.ts'
import type { loadHome } from './home.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/home/home': LoadedPage<typeof loadHome>
    'dashboard/home/first-key': DashboardPage<{ key: string; curl: string }>
    // Parts of a page are given all that it is.
    'dashboard/home/first-steps': Views['dashboard/home/home']
    'dashboard/home/first-step': { step: FirstStep; csrf: string }
    'dashboard/home/figures': Views['dashboard/home/home']
    'dashboard/home/charts': Views['dashboard/home/home']
    'dashboard/home/last-payments': Views['dashboard/home/home']
  }
}
