// The view models of one's own account.
import type { DashboardPage } from '../layout/page.ts'
import type { TimeView } from '../layout/values/views.ts'

type SessionRow = {
  id: string
  address: string
  device: string
  began: TimeView
  seen: TimeView
  /** The one that looks. */
  isThis: boolean
}

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/account/account': DashboardPage<{
      role: string
      totpEnabled: boolean
      codesLeft: number
      sessions: SessionRow[]
    }>
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
