// The view models of who moves the money, and on which terms.
import type { TypedFields } from '../layout/forms/form.ts'
import type { DashboardPage, FormError, LoadedPage } from '../layout/page.ts'
import type { toCardRows } from './fees-form.ts'
import type { GoLiveCheck } from './going-live.ts'
import type { loadPayouts } from './payouts.ts'
import type { loadChecklist } from './provider-choice.ts'
import type { toFieldView } from './provider-form.ts'
import type { buildAccountViewModel } from './provider-page.ts'
import type { loadTerms } from './receivables.ts'
import type { buildTermsPreview } from './terms-preview.ts'

type ProviderAccount = ReturnType<typeof buildAccountViewModel>
type TermsPreview = ReturnType<typeof buildTermsPreview>

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/receivables/receivables': LoadedPage<typeof loadTerms>
    'dashboard/receivables/fees': DashboardPage<{
      form: TypedFields
      card: ReturnType<typeof toCardRows>
    }>
    'dashboard/receivables/fees-table': { rows: ReturnType<typeof toCardRows>; describedBy: string }
    'dashboard/receivables/payouts': LoadedPage<typeof loadPayouts>
    /** The pages of what comes in, for who sees all of them. */
    'dashboard/receivables/tabs': { tab: 'terms' | 'fees' | 'payouts' }
    /** What payers may choose from; also fetched by itself while the form is typed. */
    'dashboard/receivables/terms-preview': { preview: TermsPreview }
    'dashboard/receivables/provider-account': DashboardPage<ProviderAccount>
    'dashboard/receivables/provider-field': {
      errors: FormError[]
      field: ReturnType<typeof toFieldView>
    }
    /** How the connection stands; replaced while the form is being tried. */
    'dashboard/receivables/connection': Pick<ProviderAccount, 'account' | 'steps'>
    'dashboard/receivables/going-live': DashboardPage<
      Omit<Awaited<ReturnType<typeof loadChecklist>>, 'title' | 'section'> & { ticked: boolean }
    >
    'dashboard/receivables/going-live-check': { check: GoLiveCheck }
    // Parts of a page are given all that it is.
    'dashboard/receivables/ways': Views['dashboard/receivables/receivables']
    'dashboard/receivables/terms-form': Views['dashboard/receivables/receivables']
    'dashboard/receivables/provider-bank': Views['dashboard/receivables/provider-account']
    'dashboard/receivables/provider-form': Views['dashboard/receivables/provider-account']
    'dashboard/receivables/provider-aside': Views['dashboard/receivables/provider-account']
  }
}
