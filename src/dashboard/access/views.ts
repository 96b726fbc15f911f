// The view models of the ways in.
import type { TypedFields } from '../layout/forms/form.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { TokenPage } from './token-page.ts'

/** Its title is the view's own. */
type SignInPage<Own extends object> = Omit<TokenPage<object>, 'title'> & Own

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/access/layout': TokenPage<{ body: string }>
    'dashboard/access/expired-token': TokenPage<{
      text: string
      again: { href: string; text: string } | null
    }>
    'dashboard/access/invitation': TokenPage<{
      company: string
      email: string
      role: string
      may: string
      /** Who uses this browser by now. */
      signedInAs: string | null
    }>
    'dashboard/access/lost-password': TokenPage<{ email: string }>
    'dashboard/access/lost-password-operator': TokenPage<object>
    'dashboard/access/lost-password-sent': TokenPage<object>
    'dashboard/access/new-password': TokenPage<object>
    'dashboard/access/set-up': TokenPage<{ typed: TypedFields }>
    'dashboard/access/set-up-done': TokenPage<{ key: string; curl: string }>
    'dashboard/access/sign-in': SignInPage<{
      email: string
      back: string
      /** The session ended before a form was sent. */
      isSent: boolean
    }>
    'dashboard/access/step-up': DashboardPage<{
      asksCode: boolean
      back: string
      /** A form was sent too late, and nothing was done. */
      isSent: boolean
      cancel: string
    }>
    'dashboard/access/sign-in-code': SignInPage<{ ticket: string; back: string }>
  }
}
