// The view models of one's own account.
import type { DashboardPage, LoadedPage } from '../layout/page.ts'
import type { loadAccount } from './account.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/account/account': LoadedPage<typeof loadAccount>
    'dashboard/account/second-step': DashboardPage<{
      question: string
      action: string
      button: string
      isDangerous: boolean
    }>
    'dashboard/account/recovery-codes': DashboardPage<{
      list: string
      /** The same as a `data:` address. */
      file: string
      isNew: boolean
    }>
    'dashboard/account/two-factor': DashboardPage<{ qr: string; uri: string; secret: string }>
    // Parts of a page are given all that it is.
    'dashboard/account/sessions': Views['dashboard/account/account']
  }
}
