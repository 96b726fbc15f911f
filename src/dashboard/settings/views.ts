// The view models of the company's settings.
import type { ColorScheme } from '../../companies/brand-color.ts'
import type { TypedFields } from '../layout/forms/form.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import type { DashboardPage, FormError } from '../layout/page.ts'
import type { BrandPreview } from './brand-preview.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/settings/head': { current: 'company' | 'brand' | 'mail' }
    'dashboard/settings/company': DashboardPage<{ form: TypedFields }>
    'dashboard/settings/mail': DashboardPage<{
      form: TypedFields
      isConfigured: boolean
      payerEmails: SelectOption[]
    }>
    'dashboard/settings/brand': DashboardPage<{
      color: string
      logoUrl: string | null
      logoDarkUrl: string | null
      /** Which files came with a form that is shown again: no browser lets a page keep them. */
      chosen: Record<ColorScheme, boolean>
      preview: BrandPreview
    }>
    'dashboard/settings/brand-logo': {
      logo: {
        id: string
        label: string
        hint: string
        optional: boolean
        /** Address of the one that is saved. */
        now: string | null
        wasChosen: boolean
        remove: string
        /** Of the ground that it is shown on: `light` or `dark`. */
        tone: string
      }
      error: FormError | undefined
    }
    /** The checkout in a colour and with the logos; also fetched by itself while the form is filled in. */
    'dashboard/settings/brand-preview': { preview: BrandPreview }
  }
}
