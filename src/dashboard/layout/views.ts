// The view models of the dashboard's frame and of the parts that its pages are made of.
import type { Badge } from './badge.ts'
import type { ColumnChart } from './chart.ts'
import type { buildPager, DashboardPage, FormError, toTimeView } from './page.ts'
import type { SortHead } from './sorting.ts'

export type TimeView = ReturnType<typeof toTimeView>
export type Pager = ReturnType<typeof buildPager>
export type SelectOption = { value: string | number; text: string }

type FieldBase = {
  id: string
  label: string
  /** Absent: the id. */
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
  maxlength?: number
  required?: boolean
  /** Of a text of several lines: how many are seen. */
  lines?: number
  /** Seen where nothing is typed yet. */
  labelInside?: boolean
}

type Checkbox = Omit<FieldBase, 'className'> & { checked?: boolean; value?: string | undefined }

type Select = FieldBase & {
  value?: string | number | undefined
  options: readonly SelectOption[]
}

/** What came of a change of several rows, above their list. */
export type Outcome = {
  isGood: boolean
  text: string
  /** `filter`: the list's query, to come back to it. */
  undo: { action: string; seconds: number; filter: string } | null
}

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
    'dashboard/layout/palette': object
    'dashboard/layout/shortcuts': Pick<DashboardPage<object>, 'shortcuts'>
    'dashboard/layout/badge': Badge
    'dashboard/layout/chart': {
      chart: ColumnChart
      label: string
      /** What the two bars of a column stand for, where there are two. */
      legend: { now: string; before: string } | null
    }
    'dashboard/layout/share-bar': { width: number }
    'dashboard/layout/checkbox': { errors: FormError[]; field: Checkbox }
    /** A box of a row that forms outside of the table take, of them all, and none after all. */
    'dashboard/layout/choose-row': Record<'form' | 'name' | 'value' | 'label', string>
    'dashboard/layout/choose-page': { form: string }
    'dashboard/layout/choose-none': object
    /** A value to take away, selectable without JavaScript. */
    'dashboard/layout/copy': { id: string; label: string; value: string; multiline?: number }
    /** An address that breaks where people would break it. */
    'dashboard/layout/email': { email: string }
    'dashboard/layout/environment': Pick<DashboardPage<object>, 'csrf' | 'environment'>
    'dashboard/layout/csrf': { csrf: string }
    'dashboard/layout/field-error': { id: string; message: string }
    'dashboard/layout/field': { errors: FormError[]; field: Field }
    'dashboard/layout/form-errors': { errors: FormError[] }
    'dashboard/layout/version': Pick<DashboardPage<object>, 'version'>
    'dashboard/layout/outcome': { outcome: Outcome | null; csrf: string }
    'dashboard/layout/pager': { pager: Pager }
    /** Opens what a list is narrowed by; how many of it are in use. */
    'dashboard/layout/filter-fold': { count: number }
    'dashboard/layout/search-button': object
    'dashboard/layout/sort-head': { head: SortHead; text: string; className?: string }
    'dashboard/layout/select': { errors: FormError[]; field: Select }
    'dashboard/layout/time': TimeView
  }
}
