// The view models of the parts of a form.
import type { DashboardPage, FormError } from '../page.ts'

export type SelectOption = { value: string | number; text: string }

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

declare module '../../../http/html.ts' {
  interface Views {
    'dashboard/layout/forms/checkbox': { errors: FormError[]; field: Checkbox }
    'dashboard/layout/forms/csrf': { csrf: string }
    'dashboard/layout/forms/errors': { errors: FormError[]; body: string }
    'dashboard/layout/forms/field': { errors: FormError[]; field: Field }
    'dashboard/layout/forms/field-error': { id: string; message: string }
    'dashboard/layout/forms/select': { errors: FormError[]; field: Select }
    'dashboard/layout/forms/conflicts': Pick<DashboardPage<object>, 'version'>
    'dashboard/layout/forms/version': Pick<DashboardPage<object>, 'version'>
  }
}
