// The billing address of a card. The form asks for it if the provider of the cards needs it, and accepts the ways in
// which people write it. The address is sent with the charge and is not stored.

import { z } from 'zod'
import { readState, readZipCode } from '../address-rules.js'
import { toRecord } from '../http/fields.ts'
import { textField, toOneLine } from '../http/text.ts'
import type { BillingAddress } from '../providers/provider.ts'
import type { AddressField, FormErrors, FormValues } from './form-values.ts'
import type { CheckoutTexts } from './texts/pt.ts'

const text = (max: number) => textField({ min: 1, max, clean: toOneLine })

const NO_NUMBER = /^(s\.?\s*\/?\s*n\.?[ºo°]?|sem\s+n[uú]mero|0+)$/i
/** A street together with its number, as browsers fill it in. */
const WITH_NUMBER = /^(.*\p{L}.*?)[\s,]+(?:n[ºo°.]*\s*)?(\d{1,6}\s?[A-Za-z]?)$/u

const RULES = {
  zipCode: z.string().max(20).transform(readZipCode).pipe(z.string()),
  street: text(120).pipe(z.string().regex(/[\p{L}\d]/u)),
  number: text(20).transform((value) => (NO_NUMBER.test(value) ? 'S/N' : value)),
  city: text(80).pipe(z.string().regex(/\p{L}/u)),
  state: z.string().max(40).transform(readState).pipe(z.string()),
} satisfies Record<keyof BillingAddress, z.ZodType>

const Address = z.object(RULES)

/** In the order of the form, with the names by which browsers fill them in. */
const FIELDS: readonly { id: AddressField; part: keyof BillingAddress; autocomplete: string }[] = [
  { id: 'zipCode', part: 'zipCode', autocomplete: 'billing postal-code' },
  { id: 'street', part: 'street', autocomplete: 'billing address-line1' },
  { id: 'streetNumber', part: 'number', autocomplete: 'on' },
  { id: 'city', part: 'city', autocomplete: 'billing address-level2' },
  { id: 'state', part: 'state', autocomplete: 'billing address-level1' },
]

type ReadAddress = { address: BillingAddress; errors: [] } | { address: null; errors: FormErrors }

/** Returns all errors at once, one sentence for each field. */
export function readBillingAddress(body: unknown, t: CheckoutTexts): ReadAddress {
  const typed = toRecord(body)
  const given = FIELDS.map(({ id, part }) => [part, takeText(typed[id])])
  const read = Address.safeParse(splitStreet(Object.fromEntries(given)))
  if (read.success) return { address: read.data, errors: [] }
  const wrong = read.error.issues.map(({ path }) => path[0])
  const errors = FIELDS.filter(({ part }) => wrong.includes(part)).map(({ id: field }) => ({
    field,
    message: t.address[field].problem,
  }))
  return { address: null, errors }
}

export function listAddressFields(typed: FormValues['address'], t: CheckoutTexts) {
  return FIELDS.map(({ id, autocomplete }) => ({
    ...{ id, name: id, autocomplete, value: typed[id] ?? '' },
    ...{ label: t.address[id].label, whenEmpty: t.address[id].problem },
    whenInvalid: t.address[id].problem,
    inputmode: id === 'zipCode' ? ('numeric' as const) : ('text' as const),
  }))
}

export const ADDRESS_FIELDS = FIELDS.map(({ id }) => id)

function splitStreet({ street = '', number = '', ...rest }: Record<string, string>) {
  const [, name, found] = (number === '' && WITH_NUMBER.exec(street)) || []
  return { ...rest, street: name ?? street, number: found ?? number }
}

function takeText(value: unknown) {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first.trim() : ''
}
