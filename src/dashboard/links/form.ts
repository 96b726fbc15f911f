// The form of a link. What was typed becomes what the API takes, its schema judges it, and what it says
// comes back to the fields of the form. Of a link that exists only what differs is sent, so that nothing
// changes that nobody touched.

import type { Company } from '../../companies/company.ts'
import { type InterestMode, METHODS, type Method } from '../../database/enums.ts'
import type { FieldError } from '../../http/errors.ts'
import { fieldErrors } from '../../http/zod.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import {
  MAX_AMOUNT_CENTS,
  MIN_AMOUNT_CENTS,
  NewPaymentLink,
  PaymentLinkChanges,
} from '../../payment-links/schema.ts'
import { brlField, money, parseBrl } from '../layout/form.ts'
import { localField, parseLocal } from '../layout/local-time.ts'
import type { Problem } from '../layout/page.ts'
import { linkPageTexts } from './texts.ts'

const TEXTS = [
  'title',
  'description',
  'amount',
  'maxInstallments',
  'interestMode',
  'tags',
  'expiresAt',
  'uses',
  'maxPayments',
  'customer',
  'customerId',
  'redirectUrl',
  'externalReference',
  'inactiveMessage',
] as const

/** What the form holds, as it is typed and ticked. */
export type LinkForm = Record<(typeof TEXTS)[number], string> & {
  methods: Method[]
  /** Whether `customerId` stays; a document in `customer` comes before it. */
  keepCustomer: boolean
  paused: boolean
  metadata: { key: string; value: string }[]
}

type Read<Values> = { values: Values; errors: null } | { values: null; errors: Problem[] }

export function typedLink(body: unknown): LinkForm {
  const given = (body ?? {}) as Record<string, unknown>
  const typed = TEXTS.map((name) => [name, typeof given[name] === 'string' ? given[name] : ''])
  const [keys, values] = [listOf(given.metadataKey), listOf(given.metadataValue)]
  return {
    ...(Object.fromEntries(typed) as Record<(typeof TEXTS)[number], string>),
    methods: METHODS.filter((method) => listOf(given.methods).includes(method)),
    keepCustomer: given.keepCustomer === 'on',
    paused: given.paused === 'on',
    metadata: keys
      .map((key, at) => ({ key: key.trim(), value: (values[at] ?? '').trim() }))
      .filter(({ key, value }) => key || value),
  }
}

export function blankLink(company: Company, customerId: string | null): LinkForm {
  return {
    ...typedLink({}),
    methods: [...METHODS],
    maxInstallments: String(company.defaultMaxInstallments),
    interestMode: company.defaultInterestMode,
    uses: 'unlimited',
    customerId: customerId ?? '',
    keepCustomer: customerId !== null,
  }
}

export function formOfLink(link: LinkRow): LinkForm {
  return {
    title: link.title,
    description: link.description ?? '',
    amount: brlField(link.amountCents),
    methods: METHODS.filter((method) => link.methods.includes(method)),
    maxInstallments: String(link.maxInstallments),
    interestMode: link.interestMode satisfies InterestMode,
    tags: link.tags.join(', '),
    expiresAt: link.expiresAt ? localField(link.expiresAt) : '',
    uses: usesOf(link.maxPayments),
    maxPayments: link.maxPayments === null ? '' : String(link.maxPayments),
    customer: '',
    customerId: link.linkedCustomerId ?? '',
    keepCustomer: link.linkedCustomerId !== null,
    redirectUrl: link.redirectUrl ?? '',
    externalReference: link.externalReference ?? '',
    inactiveMessage: link.inactiveMessage ?? '',
    paused: false,
    metadata: Object.entries(link.metadata).map(([key, value]) => ({ key, value })),
  }
}

export function readNewLink(form: LinkForm, customerId: string | null): Read<NewPaymentLink> {
  const status = form.paused ? 'inactive' : 'active'
  const { data, error } = NewPaymentLink.safeParse({ ...inputOf(form, customerId), status })
  return judged(form, data, error)
}

export function readLinkChanges(
  link: LinkRow,
  form: LinkForm,
  customerId: string | null,
): Read<PaymentLinkChanges> {
  const before = Object.entries(inputOf(formOfLink(link), link.linkedCustomerId))
  const same = new Map(before.map(([key, value]) => [key, JSON.stringify(value)]))
  const changes = Object.entries(inputOf(form, customerId)).filter(
    ([key, value]) => JSON.stringify(value) !== same.get(key),
  )
  const { data, error } = PaymentLinkChanges.safeParse(Object.fromEntries(changes))
  return judged(form, data, error)
}

/** What the API says of its fields, at the fields of the form; one sentence each, in the form's order. */
export function problemsAt(errors: readonly Pick<FieldError, 'field' | 'message'>[]): Problem[] {
  const problems = new Map<string, string>()
  for (const { field, message } of errors) {
    const root = field.split('.')[0]!
    const at = FIELD_OF[root] ?? root
    if (!problems.has(at)) problems.set(at, message)
  }
  return [...problems]
    .map(([field, message]) => ({ field, message }))
    .sort((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field))
}

const FIELD_OF: Record<string, string> = { amountCents: 'amount', linkedCustomerId: 'customer' }
const ORDER: readonly string[] = ['title', 'amount', 'description', 'methods', ...TEXTS, 'metadata']

function judged<Values>(
  form: LinkForm,
  values: Values | undefined,
  error: Parameters<typeof fieldErrors>[0] | undefined,
): Read<Values> {
  const errors = problemsAt([...ownProblems(form), ...(error ? fieldErrors(error) : [])])
  return values !== undefined && errors.length === 0
    ? { values, errors: null }
    : { values: null, errors }
}

const AMOUNT = money({ min: MIN_AMOUNT_CENTS, max: MAX_AMOUNT_CENTS })

/** Where the API's sentence would speak of cents or of its own names. */
function ownProblems(form: LinkForm): Problem[] {
  const links = linkPageTexts
  const names = form.metadata.map(({ key }) => key)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  const problems: [field: string, message: string | undefined | false][] = [
    ['title', form.title.trim() === '' && links.title],
    ['amount', AMOUNT.safeParse(form.amount).error?.issues[0]?.message],
    ['methods', form.methods.length === 0 && links.noMethod],
    ['expiresAt', expiryOf(form) === undefined && links.expiresAt],
    ['maxPayments', form.uses === 'limited' && !isCount(form.maxPayments) && links.maxPayments],
    ['metadata', names.includes('') && links.namelessPair],
    ['metadata', twice !== undefined && links.repeatedPair(twice)],
  ]
  return problems.flatMap(([field, message]) => (message ? [{ field, message }] : []))
}

function inputOf(form: LinkForm, linkedCustomerId: string | null) {
  const card = form.methods.includes('credit_card')
  return {
    title: form.title,
    description: textOf(form.description),
    amountCents: parseBrl(form.amount),
    methods: form.methods,
    maxInstallments: card ? Number(form.maxInstallments) : undefined,
    interestMode: form.interestMode,
    tags: form.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
    expiresAt: expiryOf(form),
    maxPayments: mostOf(form),
    linkedCustomerId,
    redirectUrl: textOf(form.redirectUrl),
    externalReference: textOf(form.externalReference),
    inactiveMessage: textOf(form.inactiveMessage),
    metadata: Object.fromEntries(form.metadata.map(({ key, value }) => [key, value])),
  }
}

/** Fields of several lines come back with breaks of their own. */
function textOf(typed: string) {
  return typed.replace(/\r\n?/g, '\n').trim() || null
}

function expiryOf({ expiresAt }: LinkForm) {
  return expiresAt.trim() === '' ? null : parseLocal(expiresAt)
}

function mostOf({ uses, maxPayments }: LinkForm) {
  if (uses === 'once') return 1
  return uses === 'limited' ? Number(maxPayments) : null
}

function usesOf(maxPayments: number | null) {
  if (maxPayments === null) return 'unlimited'
  return maxPayments === 1 ? 'once' : 'limited'
}

function isCount(typed: string) {
  return /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= 100_000
}

function listOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}
