// The view models of the company's settings.
import type { TypedFields } from '../layout/form.ts'
import type { DashboardPage } from '../layout/page.ts'
import type { buildBrandPreview } from './brand-preview.ts'

type BrandPreview = ReturnType<typeof buildBrandPreview>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/settings/head': { current: 'company' | 'brand' | 'mail' }
    'dashboard/settings/company': DashboardPage<{ form: TypedFields }>
    'dashboard/settings/mail': DashboardPage<{ form: TypedFields; isConfigured: boolean }>
    'dashboard/settings/brand': DashboardPage<{
      color: string
      logoUrl: string | null
      preview: BrandPreview
    }>
    /** The checkout's head in a colour; also fetched by itself while the form is typed. */
    'dashboard/settings/brand-preview': { preview: BrandPreview }
  }
}
