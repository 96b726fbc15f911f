// The form of a customer. The API's schema validates it; an empty field means no value.

import type { z } from 'zod'
import type { CustomerRow } from '../../customers/customer.ts'
import { formatPhone, formatTaxId } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { buildRecord } from '../../record.ts'
import { type FormResult, readTypedFields, toFormErrors } from '../layout/forms/form.ts'
import { versionTexts } from '../layout/forms/texts.ts'
import { customerPageTexts } from './texts.ts'

const CUSTOMER_FIELDS = ['name', 'taxId', 'email', 'phone'] as const

export type CustomerForm = Record<(typeof CUSTOMER_FIELDS)[number], string>
type CustomerValues = Pick<CustomerRow, keyof CustomerForm>

export function readCustomerForm(body: unknown): CustomerForm {
  const typed = readTypedFields(body)
  return buildRecord(CUSTOMER_FIELDS, (name) => typed[name] ?? '')
}

/** The document stays when the form does not send one. */
export function readChangedForm({ taxId }: CustomerRow, body: unknown): CustomerForm {
  return readCustomerForm({ ...(taxId && { taxId: formatTaxId(taxId) }), ...toRecord(body) })
}

export function toCustomerForm({ name, taxId, email, phone }: CustomerValues): CustomerForm {
  return {
    name,
    taxId: taxId ? formatTaxId(taxId) : '',
    email: email ?? '',
    phone: phone ? formatPhone(phone) : '',
  }
}

export function toCustomerValues({ name, taxId, email, phone }: CustomerRow): CustomerValues {
  return { name, taxId, email, phone }
}

/** The values as people read them. */
export function describeCustomer(values: CustomerValues): CustomerForm {
  const form = toCustomerForm(values)
  return buildRecord(CUSTOMER_FIELDS, (name) => form[name] || versionTexts.none)
}

/** @param schema the API's schema, for a new customer or for changes */
export function readCustomer<Values>(
  schema: z.ZodType<Values>,
  { name, ...others }: CustomerForm,
): FormResult<Values> {
  const given = buildRecord(['taxId', 'email', 'phone'], (field) => others[field].trim() || null)
  const { data, error } = schema.safeParse({ name, ...given })
  if (!error) return { kind: 'valid', values: data }
  const isNameless = name.trim() === ''
  const errors = toFormErrors(error, CUSTOMER_FIELDS).map(({ field, message }) => ({
    field,
    message: isNameless && field === 'name' ? customerPageTexts.name : message,
  }))
  return { kind: 'invalid', errors }
}
