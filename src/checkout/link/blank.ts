// A form that nobody has touched.
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

const blankForms = new WeakMap<CheckoutTexts, Record<'phone' | 'noPhone', BlankForm>>()

/** The same object for every link: views render once what is made of nothing else. */
export function getBlankForm(t: CheckoutTexts, askPhone: boolean): BlankForm {
  const known = blankForms.get(t) ?? {
    phone: buildBlankForm(t, true),
    noPhone: buildBlankForm(t, false),
  }
  blankForms.set(t, known)
  return askPhone ? known.phone : known.noPhone
}

export function isBlank({ values, errors, linkedCustomer }: Omit<BlankForm, 't' | 'askPhone'>) {
  return values === BLANK_VALUES && errors.length === 0 && linkedCustomer === null
}

function buildBlankForm(t: CheckoutTexts, askPhone: boolean): BlankForm {
  return { t, askPhone, values: BLANK_VALUES, errors: [], linkedCustomer: null }
}
