// The view models of the dashboard's frame, and of the pages that replace others.
import type { DashboardPage } from './page.ts'

/** A question that is asked before an action. */
type Confirmation = {
  question: string
  consequences?: readonly string[]
  action: string
  button: string
  isDangerous?: boolean
  /** The address that the person goes to on "no". */
  back: string
  /** The label of "no". */
  keep?: string
  hidden?: readonly { name: string; value: string | number }[]
  /** The address that gets the same fields, with `change`, when the person wants to edit them first. */
  change?: string
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/layout/page': DashboardPage<{ body: string }>
    'dashboard/layout/confirm': DashboardPage<Confirmation>
    'dashboard/layout/error': DashboardPage<{
      message: string
      /** The best way first. */
      ways: { text: string; href: string }[]
      /** For support; null when the failure was not ours. */
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
