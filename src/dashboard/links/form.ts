// The form of a link. The typed values are converted to the API's input and validated by its schema, and the errors are
// shown at the form's fields. For an existing link only differences are sent, so that untouched fields stay as they
// are.
import { type Company, listOfferedMethods } from '../../companies/company.ts'
import { type InterestMode, PAYMENT_METHODS, type PaymentMethod } from '../../database/enums.ts'
import { parseDecimal, toRecord } from '../../http/fields.ts'
import { toFieldErrors } from '../../http/zod.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { PLAIN_TEXT_NAMES } from '../../payment-links/plain-texts.ts'
import {
  MAX_AMOUNT_CENTS,
  MAX_PIX_DISCOUNT_BPS,
  MAX_REMINDER_DAYS,
  MIN_AMOUNT_CENTS,
  NewPaymentLink,
  PaymentLinkChanges,
} from '../../payment-links/schema.ts'
import { buildRecord } from '../../record.ts'
import {
  type FormResult,
  formatBrlInput,
  moneyField,
  parseBrl,
  parseCount,
  readFormId,
  toFormErrors,
} from '../layout/form.ts'
import { DAY_END, formatLocalInput, parseLocalTime } from '../layout/local-time.ts'
import type { FormError } from '../layout/page.ts'
import { parseRate, toPercentInput } from '../receivables/terms.ts'
import { termsTexts } from '../receivables/texts.ts'
import {
  type CustomFieldForm,
  findCustomFieldError,
  readCustomFieldForms,
  toCustomFieldForms,
  toCustomFieldsInput,
} from './custom-fields.ts'
import { linkPageTexts } from './texts.ts'

const TEXT_FIELDS = [
  ...PLAIN_TEXT_NAMES,
  'title',
  'amount',
  'maxInstallments',
  'interestMode',
  'interestFreeInstallments',
  'pixDiscount',
  'tags',
  'expiresAt',
  'uses',
  'maxPayments',
  'remindEveryDays',
  'customer',
  'customerId',
] as const

/** The fields of the form as typed and ticked. */
export type LinkForm = Record<(typeof TEXT_FIELDS)[number], string> & {
  id: string
  methods: PaymentMethod[]
  /** Whether `customerId` stays; a document in `customer` comes first. */
  keepCustomer: boolean
  paused: boolean
  metadata: MetadataPair[]
  customFields: CustomFieldForm[]
}

export function readLinkForm(body: unknown): LinkForm {
  const given = toRecord(body)
  return {
    id: readFormId(body),
    ...buildRecord(TEXT_FIELDS, (name) => (typeof given[name] === 'string' ? given[name] : '')),
    methods: PAYMENT_METHODS.filter((method) => toStringList(given.methods).includes(method)),
    keepCustomer: given.keepCustomer === 'on',
    paused: given.paused === 'on',
    metadata: readMetadataPairs(given),
    customFields: readCustomFieldForms(given),
  }
}

/** With the methods that are offered now, or all if there are none. */
export function createBlankLinkForm(company: Company, customerId: string | null): LinkForm {
  const offered = listOfferedMethods(company, PAYMENT_METHODS)
  return {
    ...readLinkForm({}),
    methods: offered.length > 0 ? offered : [...PAYMENT_METHODS],
    maxInstallments: String(company.defaultMaxInstallments),
    interestMode: company.defaultInterestMode,
    uses: 'unlimited',
    customerId: customerId ?? '',
    keepCustomer: customerId !== null,
  }
}

export function toLinkForm(link: LinkRow): LinkForm {
  return {
    id: link.id,
    ...buildRecord(PLAIN_TEXT_NAMES, (name) => link[name] ?? ''),
    title: link.title,
    amount: formatBrlInput(link.amountCents),
    methods: PAYMENT_METHODS.filter((method) => link.methods.includes(method)),
    maxInstallments: String(link.maxInstallments),
    interestMode: link.interestMode satisfies InterestMode,
    interestFreeInstallments: String(link.interestFreeInstallments ?? ''),
    pixDiscount: link.pixDiscountBps === null ? '' : toPercentInput(link.pixDiscountBps),
    tags: link.tags.join(', '),
    expiresAt: link.expiresAt ? formatLocalInput(link.expiresAt) : '',
    uses: toUsesValue(link.maxPayments),
    maxPayments: link.maxPayments === null ? '' : String(link.maxPayments),
    remindEveryDays: link.remindEveryDays === null ? '' : String(link.remindEveryDays),
    customer: '',
    customerId: link.linkedCustomerId ?? '',
    keepCustomer: link.linkedCustomerId !== null,
    paused: false,
    metadata: Object.entries(link.metadata).map(([key, value]) => ({ key, value })),
    customFields: toCustomFieldForms(link.customFields),
  }
}

export function readNewLink(form: LinkForm, customerId: string | null): FormResult<NewPaymentLink> {
  const status = form.paused ? 'inactive' : 'active'
  const { data, error } = NewPaymentLink.safeParse({ ...toLinkInput(form, customerId), status })
  return toFormResult(form, data, error)
}

/** The form's values, by the API's fields. */
export type LinkValues = ReturnType<typeof toLinkInput>

export function toLinkValues(link: LinkRow): LinkValues {
  return toLinkInput(toLinkForm(link), link.linkedCustomerId, link.tags)
}

/** Validates the changed fields; an unreadable form is refused first. */
export function readLinkChanges(
  link: LinkRow,
  { form, values }: { form: LinkForm; values: Partial<LinkValues> },
): FormResult<PaymentLinkChanges> {
  const { metadata, ...others } = values
  const { data, error } = PaymentLinkChanges.safeParse({
    ...others,
    // A pair that is missing in the form is removed.
    ...(metadata && { metadata: { ...toEmptyPairs(link.metadata), ...metadata } }),
  })
  return toFormResult(form, data, error)
}

function toEmptyPairs(pairs: LinkRow['metadata']) {
  return Object.fromEntries(Object.keys(pairs).map((key) => [key, null]))
}

/** Shows the API's errors at the form's fields, one sentence for each. */
export function toLinkFormErrors(errors: readonly FormError[]): FormError[] {
  return toFormErrors(
    errors.map(({ field, message }) => ({
      field: FORM_FIELD_BY_API_FIELD[field] ?? field,
      message,
    })),
  )
}

const FORM_FIELD_BY_API_FIELD: Record<string, string> = {
  amountCents: 'amount',
  linkedCustomerId: 'customer',
  pixDiscountBps: 'pixDiscount',
}

function toFormResult<Values>(
  form: LinkForm,
  values: Values | undefined,
  error: Parameters<typeof toFieldErrors>[0] | undefined,
): FormResult<Values> {
  const errors = toLinkFormErrors([
    ...findLinkFormErrors(form),
    ...(error ? toFieldErrors(error) : []),
  ])
  return values !== undefined && errors.length === 0
    ? { kind: 'valid', values }
    : { kind: 'invalid', errors }
}

const AmountField = moneyField({ min: MIN_AMOUNT_CENTS, max: MAX_AMOUNT_CENTS })

/** Finds errors for which the API's text would name cents or API fields. */
function findLinkFormErrors(form: LinkForm): FormError[] {
  const links = linkPageTexts
  const problems: [field: string, message: string | undefined | false][] = [
    ['title', form.title.trim() === '' && links.title],
    ['amount', AmountField.safeParse(form.amount).error?.issues[0]?.message],
    ['methods', form.methods.length === 0 && links.noMethod],
    ['pixDiscount', Number.isNaN(parsePixDiscount(form)) && termsTexts.pixDiscount],
    ['expiresAt', parseExpiryField(form) === undefined && links.expiresAt],
    [
      'maxPayments',
      form.uses === 'limited' && !isPaymentCount(form.maxPayments) && links.maxPayments,
    ],
    ['remindEveryDays', !isReminderPeriod(form) && links.remindEveryDays],
    ['metadata', findMetadataError(form.metadata)],
    ['customFields', findCustomFieldError(form.customFields)],
  ]
  return problems.flatMap(([field, message]) => (message ? [{ field, message }] : []))
}

/** @param knownTags the present tags of the link */
export function toLinkInput(
  form: LinkForm,
  linkedCustomerId: string | null,
  knownTags: readonly string[] = [],
) {
  const card = form.methods.includes('credit_card')
  const { interestFreeInstallments: free } = form
  return {
    title: form.title,
    amountCents: parseBrl(form.amount),
    methods: form.methods,
    maxInstallments: card ? parseDecimal(form.maxInstallments) : undefined,
    interestMode: form.interestMode,
    interestFreeInstallments: card && free !== '' ? parseDecimal(free) : null,
    pixDiscountBps: parsePixDiscount(form),
    tags: splitTags(form.tags, knownTags),
    expiresAt: parseExpiryField(form),
    maxPayments: parseMaxPayments(form),
    remindEveryDays: parseReminderPeriod(form),
    linkedCustomerId,
    ...buildRecord(PLAIN_TEXT_NAMES, (name) => normalizeText(form[name])),
    metadata: Object.fromEntries(form.metadata.map(({ key, value }) => [key, value])),
    customFields: toCustomFieldsInput(form.customFields),
  }
}

/** Browsers send text areas with other line breaks. */
function normalizeText(typed: string) {
  return typed.replace(/\r\n?/g, '\n').trim() || null
}

function parseReminderPeriod({ remindEveryDays }: LinkForm) {
  const typed = remindEveryDays.trim()
  return typed === '' ? null : parseDecimal(typed)
}

function isReminderPeriod(form: LinkForm) {
  const days = parseReminderPeriod(form)
  return days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_REMINDER_DAYS)
}

/** Null for the company's; NaN for what cannot be read. */
export function parsePixDiscount({ pixDiscount }: Pick<LinkForm, 'pixDiscount'>) {
  if (pixDiscount.trim() === '') return null
  return parseRate(pixDiscount, MAX_PIX_DISCOUNT_BPS) ?? Number.NaN
}

function parseExpiryField({ expiresAt }: LinkForm) {
  return expiresAt.trim() === '' ? null : parseLocalTime(expiresAt, DAY_END)
}

/** The maximum number of payments as the form has it: unlimited, once, or a number. */
type Uses = { uses: string; maxPayments: string }

export function parseMaxPayments({ uses, maxPayments }: Uses) {
  if (uses === 'once') return 1
  return uses === 'limited' ? parseCount(maxPayments) : null
}

function toUsesValue(maxPayments: number | null) {
  if (maxPayments === null) return 'unlimited'
  return maxPayments === 1 ? 'once' : 'limited'
}

function isPaymentCount(typed: string) {
  const count = parseCount(typed)
  return count >= 1 && count <= 100_000
}

type MetadataPair = { key: string; value: string }

/** Ignores empty rows. */
function readMetadataPairs(given: Record<string, unknown>): MetadataPair[] {
  const values = toStringList(given.metadataValue)
  return toStringList(given.metadataKey)
    .map((key, at) => ({ key: key.trim().normalize('NFC'), value: (values[at] ?? '').trim() }))
    .filter(({ key, value }) => key || value)
}

function findMetadataError(pairs: readonly MetadataPair[]) {
  const names = pairs.map(({ key }) => key)
  if (names.includes('')) return linkPageTexts.namelessPair
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? undefined : linkPageTexts.repeatedPair(twice)
}

/** Reads a form field that may be missing, single or repeated. */
export function toStringList(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

/** @param known the present tags of the link: those with commas stay whole */
function splitTags(typed: string, known: readonly string[]) {
  const whole = known
    .filter((tag) => splitAtCommas(tag).length > 1)
    .toSorted((a, b) => b.length - a.length)
  const marked = whole.reduce(
    (text, tag) => text.replace(buildTagPattern(tag), () => tag.replaceAll(',', OWN_COMMA)),
    typed,
  )
  return splitAtCommas(marked).map((tag) => tag.replaceAll(OWN_COMMA, ','))
}

/** Stands for a comma within a tag; it cannot be typed. */
const OWN_COMMA = '\0'

/** Matches the tag between two commas, however it is spaced; once, since `a, b, a, b` may be `a, b` and `a` and `b`. */
function buildTagPattern(tag: string) {
  const parts = splitAtCommas(tag).map(RegExp.escape)
  return new RegExp(`(?<=^|,)\\s*${parts.join('\\s*,\\s*')}\\s*(?=,|$)`)
}

function splitAtCommas(text: string) {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
