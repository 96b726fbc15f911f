// The view models of the dashboard's first page.

import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { loadHome } from './home.ts'

type FirstSteps = NonNullable<Awaited<ReturnType<typeof loadHome>>['first']>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/home/home': LoadedPage<typeof loadHome>
    'dashboard/home/first-key': DashboardPage<{ key: string; curl: string }>
    // Parts of a page get the page's whole view model.
    'dashboard/home/first-steps': Views['dashboard/home/home']
    'dashboard/home/first-step': { step: FirstSteps['steps'][number]; csrf: string }
    'dashboard/home/figures': Views['dashboard/home/home']
    'dashboard/home/charts': Views['dashboard/home/home']
    'dashboard/home/looks': Views['dashboard/home/home']
    'dashboard/home/today': Views['dashboard/home/home']
  }
}
