// Every page of the dashboard with its view model, inferred from the function that makes it, and the parts that several
// pages include. A part of one page has no line: it gets the page's model (test/views/compile.ts).
import type { loadInvitationPage } from './access/invitation.ts'
import type { toStepUpPage } from './access/step-up.ts'
import type { TokenPage } from './access/token-page.ts'
import type { loadAccount } from './account/account.ts'
import type { toCodesPage, toQuestionPage, toSetupPage } from './account/two-factor.ts'
import type { loadFailedCalls } from './api-keys/failed-calls.ts'
import type { KeyForm, SCOPE_CHOICES } from './api-keys/form.ts'
import type { loadKeys, toCreatedPage, toRestrictPage, toRollPage } from './api-keys/keys.ts'
import type { loadAuditLog, toAuditRow } from './audit/audit-log.ts'
import type { loadCustomerForm } from './customers/edit.ts'
import type { loadCustomerList } from './customers/list.ts'
import type { loadCustomer } from './customers/show.ts'
import type { loadHome } from './home/home.ts'
import type { ColumnChart } from './layout/chart.ts'
import type { listTableLinks } from './layout/exports.ts'
import type { SelectOption, TypedFields } from './layout/form.ts'
import type { buildPager, Outcome, SortHead } from './layout/list.ts'
import type { DashboardPage, FormError, LoadedPage } from './layout/page.ts'
import type { PAYMENT_TABS } from './layout/paths.ts'
import type { loadCheckPage, toUploadPage } from './link-imports/pages.ts'
import type { loadLinkForm } from './links/edit.ts'
import type { loadLinkList } from './links/list.ts'
import type { buildLinkPreview } from './links/preview.ts'
import type { loadPoster, toSendPage } from './links/share.ts'
import type { loadLinkDetail } from './links/show.ts'
import type { toFieldView } from './receivables/account-fields.ts'
import type { buildAccountPage } from './receivables/account-view.ts'
import type { loadChecklist } from './receivables/choice.ts'
import type { loadPayouts, loadTerms } from './receivables/receivables.ts'
import type { buildTermsPreview } from './receivables/terms.ts'
import type { loadClosingPage } from './reports/closing.ts'
import type { loadReports } from './reports/reports.ts'
import type { loadSearch } from './search/search.ts'
import type { toBrandPage } from './settings/brand.ts'
import type { PAYER_EMAIL_OPTIONS } from './settings/settings.ts'
import type { buildRoleOptions, loadTeam, sendInvitation, toInvitePage } from './team/list.ts'
import type { buildPersonPage } from './team/person.ts'
import type { buildCheckPage } from './transactions/accept.ts'
import type { loadTransactionDetail } from './transactions/detail.ts'
import type { loadDisputes } from './transactions/disputes.ts'
import type { loadEvidence } from './transactions/evidence.ts'
import type { loadTransactionList } from './transactions/list.ts'
import type { buildRefundForm } from './transactions/refund-form.ts'
import type { loadUnmatched, loadUnmatchedPayment } from './transactions/unmatched.ts'
import type { toListedPayment } from './transactions/view.ts'
import type { loadDeliveries, toResendPage } from './webhooks/deliveries.ts'
import type { loadDelivery, toDeliveryRow } from './webhooks/delivery.ts'
import type { loadEndpointDetail, loadEndpoints } from './webhooks/endpoint.ts'
import type { toEndpointPage } from './webhooks/endpoint-edit.ts'

type Report = NonNullable<Awaited<ReturnType<typeof loadReports>>['report']>
type CheckPage = Awaited<ReturnType<typeof loadCheckPage>>
type AccountPage = LoadedPage<typeof buildAccountPage>
type TermsPage = LoadedPage<typeof loadTerms>
type Steps = NonNullable<Awaited<ReturnType<typeof loadHome>>['first']>['steps']
type SettingsPage = DashboardPage<{ form: TypedFields }>

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

type FieldBase = {
  id: string
  label: string
  /** The default is the id. */
  name?: string | undefined
  hint?: string | null | undefined
  optional?: boolean | undefined
  className?: string
}

type Field = FieldBase & {
  value?: string | number | undefined
  type?: 'text' | 'search' | 'email' | 'password' | 'tel' | 'url' | 'date' | 'datetime-local'
  inputmode?: 'decimal' | 'numeric' | 'tel' | 'url'
  autocomplete?: string
  autocapitalize?: 'characters'
  required?: boolean
  /** The height of a text area in lines. */
  lines?: number
  /** Whether the label is shown inside the empty field. */
  labelInside?: boolean
}

type Checkbox = Omit<FieldBase, 'className'> & { checked?: boolean; value?: string | undefined }

type Select = FieldBase & {
  value?: string | number | undefined
  options: readonly SelectOption[]
}

declare module '../http/html.ts' {
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
    'dashboard/layout/tabs': Pick<DashboardPage<object>, 'menu' | 'sectionTabs'>
    'dashboard/layout/forms/checkbox': { errors: FormError[]; field: Checkbox }
    'dashboard/layout/forms/conflicts': Pick<DashboardPage<object>, 'version'>
    'dashboard/layout/forms/csrf': { csrf: string }
    'dashboard/layout/forms/errors': { errors: FormError[]; body: string }
    'dashboard/layout/forms/field': { errors: FormError[]; field: Field }
    'dashboard/layout/forms/field-error': { id: string; message: string }
    'dashboard/layout/forms/select': { errors: FormError[]; field: Select }
    'dashboard/layout/forms/version': Pick<DashboardPage<object>, 'version'>
    /** The checkbox of a row, which belongs to a form outside of the table. */
    'dashboard/layout/lists/choose-row': Record<'form' | 'name' | 'value' | 'label', string> & {
      isChosen: boolean
    }
    'dashboard/layout/lists/choose-page': { form: string }
    'dashboard/layout/lists/choose-none': object
    /** The button that opens the filters, with the number of those in use. */
    'dashboard/layout/lists/filter-fold': { count: number }
    /** Opens the rows after the tenth on a phone, after a table with this many. */
    'dashboard/layout/lists/after-ten': { count: number }
    /** Opens what a list on a phone holds back (row-folds.css); `about`: of which row, for who hears the page. */
    'dashboard/layout/lists/fold': { text: string; about?: string }
    'dashboard/layout/lists/outcome': { outcome: Outcome | null }
    'dashboard/layout/lists/pager': { pager: ReturnType<typeof buildPager> }
    'dashboard/layout/lists/search-button': object
    'dashboard/layout/lists/sort-head': { head: SortHead; text: string; className?: string }
    'dashboard/layout/lists/tables': { tables: ReturnType<typeof listTableLinks> }
    'dashboard/layout/values/chart': {
      chart: ColumnChart
      label: string
      /** The meaning of the two bars of a column, if there are two. */
      legend: { now: string; before: string } | null
    }
    /** A value to copy, selectable without JavaScript. */
    'dashboard/layout/values/copy': { id: string; label: string; value: string; multiline?: number }
    /** An e-mail address that wraps at readable places. */
    'dashboard/layout/values/email': { email: string }
    'dashboard/layout/values/share-bar': { width: number }

    'dashboard/access/layout': TokenPage<{ body: string }>
    'dashboard/access/expired-token': TokenPage<{
      text: string
      again: { href: string; text: string } | null
    }>
    'dashboard/access/invitation': TokenPage<Awaited<ReturnType<typeof loadInvitationPage>>>
    'dashboard/access/lost-password': TokenPage<{ email: string }>
    'dashboard/access/lost-password-operator': TokenPage<object>
    'dashboard/access/lost-password-sent': TokenPage<object>
    'dashboard/access/new-password': TokenPage<object>
    'dashboard/access/set-up': TokenPage<{ typed: TypedFields }>
    'dashboard/access/set-up-done': TokenPage<{ key: string; curl: string }>
    /** `isSent`: the session ended before a form was sent. */
    'dashboard/access/sign-in': TokenPage<{ email: string; back: string; isSent: boolean }>
    'dashboard/access/sign-in-code': TokenPage<{ ticket: string; back: string }>
    'dashboard/access/step-up': LoadedPage<typeof toStepUpPage>
    'dashboard/account/account': LoadedPage<typeof loadAccount>
    'dashboard/account/recovery-codes': LoadedPage<typeof toCodesPage>
    'dashboard/account/second-step': LoadedPage<typeof toQuestionPage>
    'dashboard/account/two-factor': LoadedPage<typeof toSetupPage>
    'dashboard/api-keys/created': LoadedPage<typeof toCreatedPage>
    'dashboard/api-keys/failed-calls': LoadedPage<typeof loadFailedCalls>
    'dashboard/api-keys/form': DashboardPage<{ form: KeyForm; choices: typeof SCOPE_CHOICES }>
    'dashboard/api-keys/list': LoadedPage<typeof loadKeys>
    'dashboard/api-keys/restrict': LoadedPage<typeof toRestrictPage> & { form: TypedFields }
    'dashboard/api-keys/roll': LoadedPage<typeof toRollPage> & { form: TypedFields }
    'dashboard/audit/audit-log': LoadedPage<typeof loadAuditLog>
    'dashboard/audit/links': Pick<ReturnType<typeof toAuditRow>, 'links'>
    'dashboard/customers/edit': LoadedPage<typeof loadCustomerForm>
    'dashboard/customers/list': LoadedPage<typeof loadCustomerList>
    'dashboard/customers/show': LoadedPage<typeof loadCustomer>
    'dashboard/home/first-key': DashboardPage<{ key: string; curl: string }>
    'dashboard/home/first-step': { step: Steps[number]; csrf: string }
    'dashboard/home/home': LoadedPage<typeof loadHome>
    'dashboard/link-imports/check': LoadedPage<typeof loadCheckPage>
    /** `isChoice`: each row has a checkbox. */
    'dashboard/link-imports/rows': { rows: CheckPage['right']; caption: string; isChoice: boolean }
    'dashboard/link-imports/upload': LoadedPage<typeof toUploadPage>
    'dashboard/links/bulk': LoadedPage<typeof loadLinkList> & { bulk: object }
    'dashboard/links/edit': LoadedPage<typeof loadLinkForm>
    'dashboard/links/image': DashboardPage<{
      link: { title: string; href: string }
      imageUrl: string | null
      action: string
    }>
    'dashboard/links/list': LoadedPage<typeof loadLinkList>
    'dashboard/links/poster': LoadedPage<typeof loadPoster>
    /** The payment options for a payer; also loaded separately while the form is typed. */
    'dashboard/links/preview': { preview: ReturnType<typeof buildLinkPreview> }
    'dashboard/links/send': LoadedPage<typeof toSendPage>
    'dashboard/links/show': LoadedPage<typeof loadLinkDetail>
    /** The state of the connection; replaced while the form is tested. */
    'dashboard/receivables/connection': Pick<AccountPage, 'account' | 'steps'>
    'dashboard/receivables/fee-cell': {
      errors: FormError[]
      id: string
      label: string
      value: string | undefined
    }
    'dashboard/receivables/fees': SettingsPage & {
      bands: { name: string; text: string }[]
      /** A sentence for each band that has several saved fees. */
      several: string[]
    }
    'dashboard/receivables/going-live': LoadedPage<typeof loadChecklist> & { ticked: boolean }
    'dashboard/receivables/going-live-check': {
      check: Awaited<ReturnType<typeof loadChecklist>>['checks'][number]
    }
    'dashboard/receivables/payouts': LoadedPage<typeof loadPayouts>
    'dashboard/receivables/provider-account': AccountPage
    'dashboard/receivables/provider-field': {
      errors: FormError[]
      field: ReturnType<typeof toFieldView>
    }
    'dashboard/receivables/receivables': TermsPage
    /** The tabs of receivables, for people who may see them all. */
    'dashboard/receivables/tabs': { tab: 'terms' | 'fees' | 'payouts' }
    /** The payer's choices; also loaded separately while the form is typed. */
    'dashboard/receivables/terms-preview': { preview: ReturnType<typeof buildTermsPreview> }
    /** A possible provider of one method. */
    'dashboard/receivables/way': Pick<TermsPage, 'may'> & {
      method: string
      provider: TermsPage['ways'][number]['others'][number]
    }
    'dashboard/reports/chart': { report: Report }
    'dashboard/reports/closing': LoadedPage<typeof loadClosingPage>
    'dashboard/reports/figures': { report: Report }
    'dashboard/reports/reports': LoadedPage<typeof loadReports>
    'dashboard/reports/table': { report: Report }
    'dashboard/reports/table-cells': {
      cells: Report['rows'][number] | Report['total']
      has: Report['has']
    }
    'dashboard/search/page': LoadedPage<typeof loadSearch>
    'dashboard/settings/brand': LoadedPage<typeof toBrandPage>
    'dashboard/settings/company': SettingsPage
    'dashboard/settings/contact': SettingsPage
    'dashboard/settings/head': Views['dashboard/layout/tabs']
    'dashboard/settings/mail': SettingsPage & {
      isConfigured: boolean
      payerEmails: typeof PAYER_EMAIL_OPTIONS
    }
    'dashboard/team/invite': LoadedPage<typeof toInvitePage>
    'dashboard/team/invited': LoadedPage<typeof sendInvitation>
    'dashboard/team/list': LoadedPage<typeof loadTeam>
    'dashboard/team/person': LoadedPage<typeof buildPersonPage>
    'dashboard/team/roles': { errors: FormError[]; roles: ReturnType<typeof buildRoleOptions> }
    'dashboard/transactions/disputes': LoadedPage<typeof loadDisputes>
    'dashboard/transactions/evidence': Awaited<ReturnType<typeof loadEvidence>>
    'dashboard/transactions/list': LoadedPage<typeof loadTransactionList>
    'dashboard/transactions/check': LoadedPage<typeof buildCheckPage>
    'dashboard/transactions/refund': LoadedPage<typeof buildRefundForm>
    /** The payments of one customer, named by their links, or of one link, named by their payers. */
    'dashboard/transactions/short-rows': {
      payments: ReturnType<typeof toListedPayment>[]
      now: Date
      caption: string
      name: 'linkTitle' | 'payerName'
    }
    'dashboard/transactions/show': LoadedPage<typeof loadTransactionDetail>
    'dashboard/transactions/tabs': {
      tabs: typeof PAYMENT_TABS
      current: 'all' | 'held' | 'disputes'
    }
    'dashboard/transactions/unmatched': {
      unmatched: Awaited<ReturnType<typeof loadUnmatched>> | null
      now: Date
    }
    'dashboard/transactions/unmatched-payment': LoadedPage<typeof loadUnmatchedPayment>
    'dashboard/webhooks/deliveries': LoadedPage<typeof loadDeliveries>
    'dashboard/webhooks/delivery': LoadedPage<typeof loadDelivery>
    /** The narrow table belongs to one endpoint; in the wide one rows can be chosen. */
    'dashboard/webhooks/delivery-rows': {
      deliveries: ReturnType<typeof toDeliveryRow>[]
      now: Date
      caption: string
      isWide: boolean
    }
    'dashboard/webhooks/endpoint-detail': LoadedPage<typeof loadEndpointDetail>
    'dashboard/webhooks/endpoint-edit': LoadedPage<typeof toEndpointPage>
    'dashboard/webhooks/endpoints': LoadedPage<typeof loadEndpoints>
    /** Shown only once. */
    'dashboard/webhooks/redirect-secret': DashboardPage<{ secret: string }>
    'dashboard/webhooks/resend': LoadedPage<typeof toResendPage>
  }
}
