// What a payer sends: the checkout's form, field by field.

import { z } from 'zod'
import { EMAIL_PATTERN, parsePhone } from '../customers/contact.ts'
import { parseTaxId } from '../customers/tax-id.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../database/enums.ts'
import { newToken, TOKEN_LENGTH } from '../database/id.ts'
import type { CustomAnswer, CustomField } from '../database/tables.ts'
import { containsCardData } from '../http/card-data.ts'
import { decimalField, parseDecimal, toRecord } from '../http/fields.ts'
import { replaceTabs, textField } from '../http/text.ts'
import { MAX_INSTALLMENTS } from '../payment-links/schema.ts'
import { readAnswers, readTypedAnswers } from './answers.ts'
import type { CheckoutTexts } from './texts/pt.ts'
import type { FieldName, LinkViewModel } from './view-models.ts'

/** A field sent twice counts once, by its first value; what is not a text counts as missing. */
const takeFirst = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value[0] : value), schema)

const MAX_REF_LENGTH = 64

const method = takeFirst(z.enum(PAYMENT_METHODS))
const installments = takeFirst(decimalField({ min: 1, max: MAX_INSTALLMENTS }).default(1))
const taxId = takeFirst(z.string().max(40).transform(readTaxId).pipe(z.string()))
const phone = takeFirst(z.string().max(32).transform(parsePhone).pipe(z.string()))
/** Where the payer came from; what it may not be is no reason to refuse a payment. */
export const refField = takeFirst(
  textField({ max: MAX_REF_LENGTH })
    .transform((value) => value || null)
    .catch(null),
)
const person = {
  name: takeFirst(
    z
      .string()
      .transform(replaceTabs)
      .pipe(textField({ min: 3, max: 120 }).regex(/\p{L}/u)),
  ),
  taxId,
  email: takeFirst(
    z
      .string()
      .max(320)
      .transform(trimEmail)
      .pipe(textField({ min: 5, max: 254 }).regex(EMAIL_PATTERN)),
  ),
}

const card = {
  cardToken: takeFirst(z.string().regex(/^[\w-]{8,512}$/)),
  cardBrand: takeFirst(z.string().regex(/^[a-z]{2,20}$/)),
  cardLast4: takeFirst(z.string().regex(/^\d{4}$/)),
  cardHolder: takeFirst(textField({ max: 120 }).default('')),
  // No payment is stopped for want of it. It becomes a header: printable, without blanks.
  deviceId: takeFirst(
    z
      .string()
      .regex(/^[\x21-\x7e]{8,1024}$/)
      .optional()
      .catch(undefined),
  ),
}

const none = z.undefined().optional().catch(undefined)
const noCard = {
  cardToken: none,
  cardBrand: none,
  cardLast4: none,
  cardHolder: none,
  deviceId: none,
}

const buildFormSchemas = <Payer extends z.ZodRawShape>(payer: Payer) => ({
  pix: z.object({ method, ...payer, installments, ref: refField, ...noCard }),
  card: z.object({ method, ...payer, installments, ref: refField, ...card }),
})

const FORM_SCHEMAS = {
  anyone: buildFormSchemas({ ...person, phone: none }),
  anyoneWithPhone: buildFormSchemas({ ...person, phone }),
  /** The document alone says who pays. */
  known: buildFormSchemas({ name: none, taxId, email: none, phone: none }),
}

const FIELD_NAMES: FieldName[] = ['method', 'name', 'taxId', 'email', 'phone', 'installments']
const FORM_ATTEMPT = /^([0-9A-Za-z]{24})([0-9a-z]{9})?$/
const [MS_RADIX, MS_LENGTH] = [36, 9]
/** Of what a form holds of its attempt. */
export const FORM_ATTEMPT_LENGTH = TOKEN_LENGTH + MS_LENGTH

/** What a form belongs to, and until when it knows of its browser's payments. */
export type FormAttempt = { token: string; knownMs: number }

export type PaymentForm = {
  method: PaymentMethod
  taxId: string
  /** Null where the form asks for the document alone. */
  payer: { name: string; email: string | null; phone: string | null } | null
  installments: number
  customFields: CustomAnswer[]
  ref: string | null
  card: {
    token: string
    brand: string
    last4: string
    holder: string | null
    deviceId: string | null
  } | null
}

type FormErrors = LinkViewModel['errors']
type ExpectedForm = {
  methods: readonly PaymentMethod[]
  payer: keyof typeof FORM_SCHEMAS
  /** What the link asks besides. */
  customFields: readonly CustomField[] | null
  t: CheckoutTexts
}
type ParsedForm = { kind: 'valid'; values: PaymentForm } | { kind: 'invalid'; errors: FormErrors }

/** All that is wrong at once, one sentence a field. */
export function parsePaymentForm(
  body: unknown,
  { methods, payer, customFields, t }: ExpectedForm,
): ParsedForm {
  const values = toRecord(body)
  const kind = values.method === 'credit_card' ? 'card' : 'pix'
  const result = FORM_SCHEMAS[payer][kind].safeParse(values)

  const wrong = result.error?.issues.map(({ path }) => toFieldName(String(path[0]))) ?? []
  if (!methods.some((one) => one === values.method)) wrong.push('method')
  const { answers, errors } = readAnswers(values, customFields ?? [], t.answers)
  if (!result.success || wrong.length > 0 || errors.length > 0) {
    const known = [...new Set(wrong)].map((name) => buildFormError(name, values, { methods, t }))
    // As they stand on the page.
    const [ofCard, others] = [known.filter(isOfCard), known.filter((one) => !isOfCard(one))]
    return { kind: 'invalid', errors: [...others, ...errors, ...ofCard] }
  }
  return { kind: 'valid', values: toPaymentForm(result.data, answers) }
}

type PaymentFormData = z.output<(typeof FORM_SCHEMAS)[keyof typeof FORM_SCHEMAS]['pix' | 'card']>

function toPaymentForm(
  { cardToken, cardBrand, cardLast4, cardHolder, deviceId, ...data }: PaymentFormData,
  customFields: CustomAnswer[],
): PaymentForm {
  const { name, email, phone, method, taxId, installments, ref } = data
  const isCard = cardToken && cardBrand && cardLast4
  const entry = { holder: cardHolder?.toUpperCase() || null, deviceId: deviceId ?? null }
  return {
    method,
    taxId,
    payer: name && email ? { name, email, phone: phone ?? null } : null,
    installments,
    customFields,
    ref,
    card: isCard ? { token: cardToken, brand: cardBrand, last4: cardLast4, ...entry } : null,
  }
}

/** Pasted as it stood: `CPF: 529.982.247-25`. Words without a digit are none of it. */
function readTaxId(text: string) {
  const words = text.split(/[\s:]+/).filter((word) => /\d/.test(word))
  return parseTaxId(text) ?? parseTaxId(words.join(''))
}

/** Without what stood around it where it was copied: `Maria <maria@exemplo.com.br>,` */
function trimEmail(text: string) {
  const [, named = text] = /<([^<>@\s]+@[^<>@\s]+)>/.exec(text) ?? []
  return named
    .trim()
    .replace(/^[\s<("'[\p{Pi}\p{Pf}„‚]+|[\s>)"'\].,;:…\p{Pi}\p{Pf}]+$/gu, '')
    .replace(/^mailto:/i, '')
}

function isOfCard({ field }: FormErrors[number]) {
  return field === 'card' || field === 'installments'
}

/** All of a card is one field to its payer. */
function toFieldName(name: string): FieldName {
  return FIELD_NAMES.find((field) => field === name) ?? 'card'
}

/** If it can be one of ours; one that does not say what it knows of knows of everything. */
export function readFormAttempt(body: unknown): FormAttempt | undefined {
  const { attempt } = toRecord(body)
  const [, token, known] = typeof attempt === 'string' ? (FORM_ATTEMPT.exec(attempt) ?? []) : []
  if (!token) return undefined
  return { token, knownMs: known ? Number.parseInt(known, MS_RADIX) : Number.POSITIVE_INFINITY }
}

/** Or that of a form which begins now. */
export function resolveFormAttempt(body: unknown, now: Date): FormAttempt {
  return readFormAttempt(body) ?? { token: newToken(), knownMs: now.getTime() }
}

/** As the form holds it. */
export function formatFormAttempt({ token, knownMs }: FormAttempt) {
  if (!Number.isFinite(knownMs)) return token
  return token + knownMs.toString(MS_RADIX).padStart(MS_LENGTH, '0')
}

/** What was typed, to be shown again; never card data. */
export function readTypedValues(
  body: unknown,
  fallback: LinkViewModel['values'],
): LinkViewModel['values'] {
  const values = toRecord(body)
  const typed = (name: string) => {
    const value = values[name]
    return typeof value === 'string' && !containsCardData({ [name]: value }) ? value : ''
  }
  const method = PAYMENT_METHODS.find((one) => one === values.method)
  return {
    method: method ?? fallback.method,
    name: typed('name'),
    taxId: typed('taxId'),
    email: typed('email'),
    phone: typed('phone'),
    installments: parseDecimal(typed('installments')) || 1,
    ref: typed('ref'),
    answers: readTypedAnswers(body),
  }
}

function buildFormError(
  field: FieldName,
  { cardToken }: { cardToken?: unknown },
  { methods, t }: Pick<ExpectedForm, 'methods' | 't'>,
) {
  const { form, problems, cards, cardsOnly } = t
  if (field === 'card' && !cardToken) {
    return { field, message: (methods.includes('pix') ? cards : cardsOnly).needsScript }
  }
  return { field, message: { ...problems, ...form }[field] }
}
