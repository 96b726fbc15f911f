// The form of a customer. The API's schema judges what was typed; an empty field is none.

import type { CustomerRow } from '../../customers/customer.ts'
import { CustomerChanges, NewCustomer } from '../../customers/schema.ts'
import { formatPhone, formatTaxId } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { type FormResult, readTypedFields, toFormErrors } from '../layout/forms/form.ts'
import { versionTexts } from '../layout/forms/texts.ts'
import type { FormError } from '../layout/page.ts'
import { customerPageTexts } from './texts.ts'
import { toCustomerRow } from './view.ts'

const CUSTOMER_FIELDS = ['name', 'taxId', 'email', 'phone'] as const

export type CustomerForm = Record<(typeof CUSTOMER_FIELDS)[number], string>

export function readCustomerForm(body: unknown): CustomerForm {
  const { name = '', taxId = '', email = '', phone = '' } = readTypedFields(body)
  return { name, taxId, email, phone }
}

export function toCustomerForm(customer: CustomerRow): CustomerForm {
  const { taxId, email } = customer
  return {
    name: customer.name,
    taxId: taxId ? formatTaxId(taxId) : '',
    email: email ?? '',
    phone: toCustomerRow(customer).phone ?? '',
  }
}

export function readNewCustomer(form: CustomerForm): FormResult<NewCustomer> {
  const { data, error } = NewCustomer.safeParse(toCustomerInput(form))
  return data
    ? { kind: 'valid', values: data }
    : { kind: 'invalid', errors: toCustomerFormErrors(error, form) }
}

/** Where no document is sent, the one that is known stays. */
export function readChangedForm({ taxId }: CustomerRow, body: unknown): CustomerForm {
  return readCustomerForm({ ...(taxId && { taxId: formatTaxId(taxId) }), ...toRecord(body) })
}

export function readCustomerChanges(form: CustomerForm): FormResult<CustomerChanges> {
  const { data, error } = CustomerChanges.safeParse(toCustomerInput(form))
  return data
    ? { kind: 'valid', values: data }
    : { kind: 'invalid', errors: toCustomerFormErrors(error, form) }
}

type CustomerValues = Pick<CustomerRow, keyof CustomerForm>

export function toCustomerValues({ name, taxId, email, phone }: CustomerRow): CustomerValues {
  return { name, taxId, email, phone }
}

/** As people read them. */
export function describeCustomer({ name, taxId, email, phone }: CustomerValues): CustomerForm {
  const { none } = versionTexts
  return {
    name,
    taxId: taxId ? formatTaxId(taxId) : none,
    email: email ?? none,
    phone: phone ? formatPhone(phone) : none,
  }
}

function toCustomerInput({ name, taxId, email, phone }: CustomerForm) {
  return {
    name,
    taxId: taxId.trim() || null,
    email: email.trim() || null,
    phone: phone.trim() || null,
  }
}

function toCustomerFormErrors(
  error: Parameters<typeof toFormErrors>[0],
  { name }: CustomerForm,
): FormError[] {
  const nameless = name.trim() === ''
  return toFormErrors(error, CUSTOMER_FIELDS).map((problem) =>
    nameless && problem.field === 'name'
      ? { ...problem, message: customerPageTexts.name }
      : problem,
  )
}
