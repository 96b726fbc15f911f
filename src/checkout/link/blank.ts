// A form that nobody has touched.
import type { AskedFields } from '../form-fields.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type { BlankForm, LinkViewModel } from '../view-models.ts'

export const BLANK_VALUES: LinkViewModel['values'] = {
  method: 'pix',
  name: '',
  taxId: '',
  email: '',
  phone: '',
  installments: 1,
  ref: '',
  answers: new Map(),
}

const blankForms = new WeakMap<CheckoutTexts, Map<string, BlankForm>>()

/** The same object for every link: views render once what is made of nothing else. */
export function getBlankForm(t: CheckoutTexts, asked: AskedFields): BlankForm {
  const known = blankForms.get(t) ?? new Map<string, BlankForm>()
  blankForms.set(t, known)
  const key = `${asked.askPhone} ${asked.askEmail}`
  const form = known.get(key) ?? buildBlankForm(t, asked)
  known.set(key, form)
  return form
}

export function isBlank({
  values,
  errors,
  linkedCustomer,
}: Omit<BlankForm, 't' | keyof AskedFields>) {
  return values === BLANK_VALUES && errors.length === 0 && linkedCustomer === null
}

function buildBlankForm(t: CheckoutTexts, asked: AskedFields): BlankForm {
  return { t, ...asked, values: BLANK_VALUES, errors: [], linkedCustomer: null }
}
