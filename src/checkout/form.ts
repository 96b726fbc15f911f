// Parses the form that a payer sends.

import { PAYMENT_METHODS, type PaymentMethod } from '../database/enums.ts'
import { newToken } from '../database/id.ts'
import type { CustomAnswer, CustomField, Utm } from '../database/tables.ts'
import { formatTaxId } from '../format.ts'
import { containsCardData } from '../http/card-data.ts'
import { parseDecimal, toRecord } from '../http/fields.ts'
import { isLongName, restoreZeros } from '../payer-rules.js'
import type { BillingAddress } from '../providers/provider.ts'
import { readAnswers, readTypedAnswers } from './answers.ts'
import { ADDRESS_FIELDS, readBillingAddress } from './billing-address.ts'
import { type AskedFields, getFormSchema, type PaymentFormData } from './form-fields.ts'
import type { FieldName, FormErrors, FormValues } from './form-values.ts'
import { readOrigin, toKeptOrigin } from './origin.ts'
import type { CheckoutTexts } from './texts/pt.ts'

/** The values of an untouched form. */
export const BLANK_VALUES: FormValues = {
  method: 'pix',
  name: '',
  taxId: '',
  isForeign: false,
  email: '',
  phone: '',
  installments: 1,
  origin: [],
  answers: new Map(),
  address: {},
}

const FIELD_NAMES: FieldName[] = ['method', 'name', 'taxId', 'email', 'phone', 'installments']
const FORM_ATTEMPT = /^([0-9A-Za-z]{24})([0-9a-z]{9})?$/
const [MS_RADIX, MS_LENGTH] = [36, 9]

/** The attempt of a form, and the instant up to which the form knows its browser's payments. */
export type FormAttempt = { token: string; knownMs: number }

export type PaymentForm = {
  method: PaymentMethod
  taxId: string
  /** Null when the form asks only for the document. */
  payer: { name: string; email: string | null; phone: string | null } | null
  installments: number
  customFields: CustomAnswer[]
  ref: string | null
  utm: Utm | null
  /** Null for a Pix, and for a card that is entered at the provider's page. */
  card: {
    token: string
    brand: string
    /** Null if the provider's fields do not show it. */
    last4: string | null
    holder: string | null
    deviceId: string | null
    authentication: PaymentFormData['cardAuthentication'] | null
    billingAddress: BillingAddress | null
  } | null
}

type ExpectedForm = {
  methods: readonly PaymentMethod[]
  /** Whether a card is charged with the billing address and the data for 3-D Secure. */
  asksAddress: boolean
  payer: AskedFields | 'known'
  /** Whether a card is entered at the provider's own page. */
  isCardElsewhere: boolean
  /** Whether a card may be paid with a document of another country. */
  takesForeignDocuments: boolean
  /** The link's own questions. */
  customFields: readonly CustomField[] | null
  t: CheckoutTexts
}
type ParsedForm = { kind: 'valid'; values: PaymentForm } | { kind: 'invalid'; errors: FormErrors }

/** Returns all errors at once, one sentence for each field. */
export function parsePaymentForm(
  body: unknown,
  { methods, asksAddress, payer, customFields, t, ...card }: ExpectedForm,
): ParsedForm {
  const values = toRecord(body)
  const kind = getFormKind(values, card.isCardElsewhere)
  const isForeign = card.takesForeignDocuments && hasNoTaxId(values)
  const result = getFormSchema(payer, kind, isForeign).safeParse(values)

  const wrong = result.error?.issues.map(({ path }) => toFieldName(String(path[0]))) ?? []
  if (!methods.some((one) => one === values.method)) wrong.push('method')
  const { answers, errors } = readAnswers(values, customFields ?? [], t.answers)
  const billing = asksAddress && kind === 'card' ? readBillingAddress(values, t) : NO_ADDRESS
  if (billing.address && !result.data?.cardAuthentication) wrong.push('card')
  const others = [...errors, ...billing.errors]
  if (result.success && wrong.length + others.length === 0)
    return { kind: 'valid', values: toPaymentForm(result.data, answers, billing.address) }
  const known = [...new Set(wrong)].map((name) =>
    buildFormError(name, values, { methods, isForeign, t }),
  )
  return { kind: 'invalid', errors: sortAsShown(known, others) }
}

function getFormKind({ method }: Record<string, unknown>, isCardElsewhere: boolean) {
  if (method !== 'credit_card') return 'pix'
  return isCardElsewhere ? 'cardElsewhere' : 'card'
}

/** Whether the payer pays by card and has no CPF. */
function hasNoTaxId({ method, noTaxId }: Record<string, unknown>) {
  return method === 'credit_card' && Boolean(noTaxId)
}

/** In the order of the page. */
function sortAsShown(known: FormErrors, others: FormErrors): FormErrors {
  return [...known.filter((one) => !isOfCard(one)), ...others, ...known.filter(isOfCard)]
}

const NO_ADDRESS = { address: null, errors: [] }

function toPaymentForm(
  { cardToken, cardBrand, cardLast4, cardHolder, deviceId, ...data }: PaymentFormData,
  customFields: CustomAnswer[],
  billingAddress: BillingAddress | null,
): PaymentForm {
  const { name, email, phone, method, taxId, installments } = data
  const isCard = cardToken && cardBrand
  const entry = {
    last4: cardLast4 ?? null,
    holder: cardHolder?.toUpperCase() || null,
    deviceId: deviceId ?? null,
    authentication: data.cardAuthentication ?? null,
    billingAddress,
  }
  return {
    method,
    taxId,
    payer: name ? { name, email: email ?? null, phone: phone ?? null } : null,
    installments,
    customFields,
    ...toKeptOrigin(data),
    card: isCard ? { token: cardToken, brand: cardBrand, ...entry } : null,
  }
}

function isOfCard({ field }: FormErrors[number]) {
  return field === 'card' || field === 'installments'
}

/** For the payer all fields of a card are one field. */
function toFieldName(name: string): FieldName {
  return FIELD_NAMES.find((field) => field === name) ?? 'card'
}

/** Undefined for an invalid attempt; a form without an instant knows all payments. */
export function readFormAttempt(body: unknown): FormAttempt | undefined {
  const { attempt } = toRecord(body)
  const [, token, known] = typeof attempt === 'string' ? (FORM_ATTEMPT.exec(attempt) ?? []) : []
  if (!token) return undefined
  return { token, knownMs: known ? Number.parseInt(known, MS_RADIX) : Number.POSITIVE_INFINITY }
}

/** Returns the attempt of the form, or a new one. */
export function resolveFormAttempt(body: unknown, now: Date): FormAttempt {
  return readFormAttempt(body) ?? { token: newToken(), knownMs: now.getTime() }
}

/** The attempt as the form contains it. */
export function formatFormAttempt({ token, knownMs }: FormAttempt) {
  if (!Number.isFinite(knownMs)) return token
  return token + knownMs.toString(MS_RADIX).padStart(MS_LENGTH, '0')
}

/** Returns the typed values, to show them again; never card data. */
export function readTypedValues(body: unknown): FormValues {
  const values = toRecord(body)
  const typed = (name: string) => {
    const value = values[name]
    return typeof value === 'string' && !containsCardData({ [name]: value }) ? value : ''
  }
  const method = PAYMENT_METHODS.find((one) => one === values.method)
  return {
    method: method ?? BLANK_VALUES.method,
    name: typed('name'),
    taxId: typed('taxId'),
    isForeign: hasNoTaxId(values),
    email: typed('email'),
    phone: typed('phone'),
    installments: parseDecimal(typed('installments')) || 1,
    origin: readOrigin(values),
    answers: readTypedAnswers(body),
    address: Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, typed(field)])),
  }
}

function buildFormError(
  field: FieldName,
  { cardToken, name, taxId }: { cardToken?: unknown; name?: unknown; taxId?: unknown },
  { methods, isForeign, t }: Pick<ExpectedForm, 'methods' | 't'> & { isForeign: boolean },
) {
  const { form, problems, cards, cardsOnly } = t
  if (field === 'card' && !cardToken) {
    return { field, message: (methods.includes('pix') ? cards : cardsOnly).needsScript }
  }
  if (field === 'taxId' && isForeign) return { field, message: form.foreignDocument }
  if (field === 'taxId') return { field, message: describeTaxIdError(taxId, form) }
  if (field === 'name' && typeof name === 'string' && isLongName(name))
    return { field, message: form.longName }
  return { field, message: { ...problems, ...form }[field] }
}

/** Suggests the document that was meant, if only its leading zeros are missing. */
function describeTaxIdError(typed: unknown, { taxId, suggestion }: CheckoutTexts['form']) {
  const meant = typeof typed === 'string' ? restoreZeros(typed) : undefined
  const { before, after } = suggestion
  return meant ? `${taxId} ${before}${formatTaxId(meant)}${after}` : taxId
}
