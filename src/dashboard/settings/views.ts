// The view models of the company's settings.
import type { TypedFields } from '../layout/forms/form.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { measureContrasts } from './contrasts.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/settings/head': Views['dashboard/layout/tabs']
    'dashboard/settings/company': DashboardPage<{ form: TypedFields }>
    'dashboard/settings/contact': DashboardPage<{ form: TypedFields }>
    'dashboard/settings/mail': DashboardPage<{
      form: TypedFields
      isConfigured: boolean
      payerEmails: SelectOption[]
    }>
    'dashboard/settings/brand': DashboardPage<{
      color: string
      logoUrl: string | null
      /** A file came with a form that is shown again: no browser lets a page keep it. */
      wasChosen: boolean
      /** Of the colour that is saved. */
      contrasts: ReturnType<typeof measureContrasts>
    }>
  }
}
