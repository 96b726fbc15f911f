// The form of a customer. The API's schema judges what was typed; an empty field is none.

import type { CustomerRow } from '../../customers/customer.ts'
import { CustomerChanges, NewCustomer } from '../../customers/schema.ts'
import { formatTaxId } from '../../format.ts'
import { problemsOf, typedOf } from '../layout/form.ts'
import type { Problem } from '../layout/page.ts'
import { customerPageTexts } from './texts.ts'
import { customerRow } from './view.ts'

const FIELDS = ['name', 'taxId', 'email', 'phone'] as const

export type CustomerForm = Record<(typeof FIELDS)[number], string>
type Read<Values> = { values: Values; errors: null } | { values: null; errors: Problem[] }

export function typedCustomer(body: unknown): CustomerForm {
  const { name = '', taxId = '', email = '', phone = '' } = typedOf(body)
  return { name, taxId, email, phone }
}

export function formOfCustomer(customer: CustomerRow): CustomerForm {
  const { taxId, email } = customer
  return {
    name: customer.name,
    taxId: taxId ? formatTaxId(taxId) : '',
    email: email ?? '',
    phone: customerRow(customer).phone ?? '',
  }
}

export function readNewCustomer(form: CustomerForm): Read<NewCustomer> {
  const { data, error } = NewCustomer.safeParse(inputOf(form))
  return data ? { values: data, errors: null } : { values: null, errors: problemsAt(error, form) }
}

/** Of what is known only what was typed anew; a document that is known stays. */
export function readCustomerChanges(
  customer: CustomerRow,
  form: CustomerForm,
): Read<CustomerChanges> {
  const { taxId, ...rest } = inputOf(form)
  const wanted = customer.taxId === null ? { ...rest, taxId } : rest
  const { data, error } = CustomerChanges.safeParse(wanted)
  if (!data) return { values: null, errors: problemsAt(error, form) }
  const changed = FIELDS.filter((key) => data[key] !== undefined && data[key] !== customer[key])
  const values = Object.fromEntries(changed.map((key) => [key, data[key]]))
  return { values, errors: null }
}

function inputOf({ name, ...contacts }: CustomerForm) {
  const filled = Object.entries(contacts).map(([key, typed]) => [key, typed.trim() || null])
  return { name, ...Object.fromEntries(filled) } as { name: string } & Record<
    'taxId' | 'email' | 'phone',
    string | null
  >
}

function problemsAt(error: Parameters<typeof problemsOf>[0], { name }: CustomerForm): Problem[] {
  const nameless = name.trim() === ''
  return problemsOf(error, FIELDS).map((problem) =>
    nameless && problem.field === 'name'
      ? { ...problem, message: customerPageTexts.name }
      : problem,
  )
}
