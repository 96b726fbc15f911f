// The view models of the dashboard's frame, and of the pages that stand in for others.
import type { DashboardPage } from './page.ts'

/** A question before something is done. */
type Confirmation = {
  question: string
  consequences?: readonly string[]
  action: string
  button: string
  isDangerous?: boolean
  /** Where who says no goes. */
  back: string
  /** What saying no is called there. */
  keep?: string
  hidden?: readonly { name: string; value: string | number }[]
  /** Where the same is sent by whoever wants to change it first, with `change`. */
  change?: string
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/layout/page': DashboardPage<{ body: string }>
    'dashboard/layout/confirm': DashboardPage<Confirmation>
    'dashboard/layout/error': DashboardPage<{
      message: string
      /** The best first. */
      ways: { text: string; href: string }[]
      /** For whoever looks into it; null where nothing went wrong on our side. */
      requestId: string | null
    }>
    'dashboard/layout/menu': Pick<
      DashboardPage<object>,
      'menu' | 'section' | 'user' | 'csrf' | 'asset'
    >
    'dashboard/layout/tabs': Pick<DashboardPage<object>, 'menu' | 'sectionTabs'>
    'dashboard/layout/environment': Pick<DashboardPage<object>, 'csrf' | 'environment'>
  }
}
