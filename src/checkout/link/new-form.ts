// Builds a new form: with the payer's known data, and with values from its address.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { buildMinUuid } from '../../database/id.ts'
import { formatTaxId, formatTime, getForeignDocument } from '../../format.ts'
import { EMAIL_MAX_LENGTH, toRecord } from '../../http/fields.ts'
import { MAX_NAME_LENGTH, parsePhone } from '../../payer-rules.js'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { TRANSACTION_ID_SKEW_MS, type TransactionRow } from '../../transactions/transaction.ts'
import { toTypedAnswers } from '../answers.ts'
import { BLANK_VALUES, readTypedValues, resolveFormAttempt } from '../form.ts'
import type { FormValues } from '../form-values.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { listOriginFields, looseText, readOrigin } from '../origin.ts'
import { buildNewQuery, paymentPath, readKnownMs } from '../paths.ts'
import { findSealedPrefill, keepSealedPrefill } from '../sealed-prefill.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { openForm, type Visit } from '../visit.ts'
import { buildVisitCookie } from '../visit-cookie.ts'
import type { FormNotice, RenderedForm } from './page.ts'

type NewFormInput = { reply: FastifyReply; link: LinkRow; visit: Visit; query: object }

/** Builds the form for one more attempt, and gives the browser of `reply` its attempt. */
export function openNewForm(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  { reply, link, visit, query }: NewFormInput,
): RenderedForm {
  const t = resolveTexts(request)
  const { token, attempts, confirmation, payer, isFirst } = openForm(visit)
  reply.header('set-cookie', buildVisitCookie(needs, link.slug, attempts))
  if (isFirst) needs.visits.countOpened(link.id, request)
  const sealed = findSealedPrefill(needs, request, link)
  keepSealedPrefill(needs, reply, link, sealed !== undefined)
  const prefill = readPrefill(query)
  return {
    attempt: { token, knownMs: needs.now().getTime() },
    values: buildInitialValues(link, payer, query, addSealed(prefill, sealed)),
    errors: [],
    notice: buildConfirmationNotice(needs, link, { confirmation, t }),
    query: buildFormQuery(link, query, prefill),
    t,
  }
}

type OpenConfirmation = { confirmation: TransactionRow | undefined; t: CheckoutTexts }

/** Links to a payment that the payer still has to confirm. */
function buildConfirmationNotice(
  needs: CheckoutNeeds,
  { slug }: LinkRow,
  { confirmation, t }: OpenConfirmation,
): FormNotice | null {
  if (!confirmation) return null
  return {
    tone: 'warning',
    text: t.problems.confirmationOpen,
    href: paymentPath(needs, slug, confirmation.token) + buildNewQuery(needs.now()),
    link: t.problems.resumeConfirmation,
  }
}

/** Informs a payer who cannot make another payment now until when that is so. */
export function buildHeldUpNotice(
  needs: CheckoutNeeds,
  link: LinkRow,
  { confirmation, t }: OpenConfirmation,
): FormNotice | null {
  const notice = buildConfirmationNotice(needs, link, { confirmation, t })
  if (!notice || !confirmation?.expiresAt) return notice
  return { ...notice, text: t.problems.confirmationHolds(formatTime(confirmation.expiresAt)) }
}

/** Reads a form that was sent, to be shown again: with what was typed, and the same known payments. */
export function readSentForm(
  request: FastifyRequest,
  now: Date,
  body = request.body,
): RenderedForm {
  const attempt = resolveFormAttempt(body, now)
  const values = readTypedValues(body)
  const known = { name: 'new', value: String(Math.min(attempt.knownMs, now.getTime())) }
  const query = buildQuery([known, ...values.origin])
  return { attempt, values, errors: [], notice: null, query, t: resolveTexts(request) }
}

/** The parameters of the address that the form needs to be shown again unchanged. */
function buildFormQuery({ linkedCustomerId }: LinkRow, query: object, prefill: Prefill) {
  const { name, email, phone, origin } = prefill
  // A link for one customer takes no person from its address.
  const person = linkedCustomerId ? {} : { name, email, phone }
  const method = PAYMENT_METHODS.find((one) => one === toRecord(query).method)
  const given = Object.entries({ new: readKnownMs(query), method, ...person })
  return buildQuery([
    ...given.flatMap(([key, value]) => (value ? [{ name: key, value: String(value) }] : [])),
    ...origin,
  ])
}

function buildQuery(parameters: { name: string; value: string }[]) {
  const query = parameters.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

/** The initial values: the payer's known data, else values from the address. */
function buildInitialValues(
  { linkedCustomerId, updatedAt }: LinkRow,
  payer: TransactionRow | undefined,
  query: object,
  { origin: from, taxId, ...person }: Prefill & { taxId: string },
): FormValues {
  const method = (toRecord(query).method ?? payer?.method) === 'credit_card' ? 'credit_card' : 'pix'
  const origin = resolveOrigin(from, payer)
  // A link for one customer never shows the document that was typed before.
  if (linkedCustomerId) return { ...BLANK_VALUES, method, origin }
  if (!payer?.payerTaxId) return { ...BLANK_VALUES, method, origin, ...person }
  const typed = isTyped(payer, updatedAt) ? payer : undefined
  return {
    method,
    name: typed?.payerName ?? person.name,
    ...toTypedDocument(payer.payerTaxId, payer.isTaxIdSealed || taxId !== ''),
    email: typed?.payerEmail ?? person.email,
    phone: typed?.payerPhone ?? person.phone,
    installments: payer.installments,
    origin,
    answers: toTypedAnswers(payer.customFields),
    address: {},
  }
}

/** Uses the campaign of the address as a whole, since parts of two campaigns would be a third one. */
function resolveOrigin(said: Prefill['origin'], payer: TransactionRow | undefined) {
  return said.length > 0 || !payer ? said : listOriginFields(payer)
}

/** A document that came sealed in the address is never shown. */
function toTypedDocument(document: string, isSealed: boolean) {
  const foreign = getForeignDocument(document)
  return {
    taxId: isSealed ? '' : (foreign ?? formatTaxId(document)),
    isForeign: foreign !== null,
  }
}

/** The link may have had a customer before a change, and then only the document was typed. */
function isTyped({ customerId, createdAt }: TransactionRow, linkUpdatedAt: string) {
  const firstNewId = buildMinUuid(Date.parse(createdAt) - TRANSACTION_ID_SKEW_MS)
  return createdAt >= linkUpdatedAt || customerId >= firstNewId
}

// The values for the form in a link's address: `?name=&email=&phone=&ref=&utm_source=`. Invalid values are ignored.
const PHONE_MAX_LENGTH = 32

const Prefill = z.object({
  name: looseText(MAX_NAME_LENGTH),
  email: looseText(EMAIL_MAX_LENGTH, (text) => restorePlus(text.trim())),
  phone: looseText(PHONE_MAX_LENGTH, (text) => parsePhone(text.replace(/^ /, '+')) ?? ''),
})

type Prefill = z.output<typeof Prefill> & Pick<FormValues, 'origin'>

const NOTHING: Prefill = { name: '', email: '', phone: '', origin: [] }
const PREFILLED = /^(?:name|email|phone|ref|utm_[a-z]+)$/

function readPrefill(query: object): Prefill {
  // Nearly every address brings none, and is not read for it.
  if (!Object.keys(query).some((name) => PREFILLED.test(name))) return NOTHING
  return { ...Prefill.parse(query), origin: readOrigin(query) }
}

/** Open values of the address come before sealed ones. */
function addSealed(said: Prefill, sealed: ReturnType<typeof findSealedPrefill>) {
  const { name, email, phone, taxId } = sealed ?? { ...NOTHING, taxId: '' }
  return {
    ...{ name: said.name || name, email: said.email || email, phone: said.phone || phone },
    ...{ taxId, origin: said.origin },
  }
}

/** In an address that was not encoded, the plus of `maria+loja@exemplo.com` is read as a space. */
function restorePlus(email: string) {
  return email.replaceAll(' ', '+')
}
