// The form as it begins: what is known of its payer, and what its address brings along.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { buildMinUuid } from '../../database/id.ts'
import { formatTaxId, formatTime } from '../../format.ts'
import { EMAIL_MAX_LENGTH } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { TRANSACTION_ID_SKEW_MS, type TransactionRow } from '../../transactions/transaction.ts'
import { toTypedAnswers } from '../answers.ts'
import { BLANK_VALUES, type FormAttempt } from '../form.ts'
import { refField } from '../form-fields.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { buildNewQuery, paymentPath } from '../paths.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type { LinkViewModel } from '../view-models.ts'
import { openForm, type Visit } from '../visit.ts'
import { buildVisitCookie } from '../visit-cookie.ts'
import type { RenderedForm } from './replies.ts'

const FORM_PARAMETERS = ['new', 'method', 'name', 'email', 'ref'] as const
export type FormQuery = Partial<Record<(typeof FORM_PARAMETERS)[number], string>>

type NewFormInput = { reply: FastifyReply; link: LinkRow; visit: Visit; query: FormQuery }

/** For one attempt more, which the browser that `reply` goes to keeps from now on. */
export function openNewForm(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  { reply, link, visit, query }: NewFormInput,
): RenderedForm {
  const t = resolveTexts(request)
  const { token, attempts, confirmation, payer, isFirst } = openForm(visit)
  reply.header('set-cookie', buildVisitCookie(needs, link.slug, attempts))
  if (isFirst) needs.visits.countOpened(link.id, request)
  return {
    attempt: { token, knownMs: needs.now().getTime() },
    values: buildInitialValues(link, payer, query),
    errors: [],
    notice: buildConfirmationNotice(needs, link, { confirmation, t }),
    query: buildFormQuery(link, query),
    t,
  }
}

type OpenConfirmation = { confirmation: TransactionRow | undefined; t: CheckoutTexts }

/** Who has a payment to confirm is led back to it. */
function buildConfirmationNotice(
  needs: CheckoutNeeds,
  { slug }: LinkRow,
  { confirmation, t }: OpenConfirmation,
): RenderedForm['notice'] {
  if (!confirmation) return null
  return {
    tone: 'warning',
    text: t.problems.confirmationOpen,
    href: paymentPath(needs, slug, confirmation.token) + buildNewQuery(needs.now()),
    link: t.problems.resumeConfirmation,
  }
}

/** Who could make no other payment for it hears so, and until when. */
export function buildHeldUpNotice(
  needs: CheckoutNeeds,
  link: LinkRow,
  { confirmation, t }: OpenConfirmation,
): RenderedForm['notice'] {
  const notice = buildConfirmationNotice(needs, link, { confirmation, t })
  if (!notice || !confirmation?.expiresAt) return notice
  return { ...notice, text: t.problems.confirmationHolds(formatTime(confirmation.expiresAt)) }
}

type ShownForm = { attempt: FormAttempt; values: LinkViewModel['values']; now: Date }

/** The address of a form that was an answer: it knows what that one knew. */
export function buildShownQuery(link: LinkRow, { attempt, values: { ref }, now }: ShownForm) {
  const knownMs = Math.min(attempt.knownMs, now.getTime())
  return buildFormQuery(link, { new: String(knownMs), ...(ref && { ref }) })
}

/** What of its address the form needs to be shown again as it is. */
function buildFormQuery({ linkedCustomerId }: LinkRow, given: FormQuery) {
  // Of whom a link is for, an address says nothing.
  const query = linkedCustomerId ? { ...given, name: undefined, email: undefined } : given
  const kept = FORM_PARAMETERS.flatMap((name) => {
    const value = query[name]
    return typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : []
  })
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

/** The form as it begins: what is known of the payer, and what the address brings where nothing is. */
function buildInitialValues(
  { linkedCustomerId, updatedAt }: LinkRow,
  payer: TransactionRow | undefined,
  query: FormQuery,
): LinkViewModel['values'] {
  const method = (query.method ?? payer?.method) === 'credit_card' ? 'credit_card' : 'pix'
  const { ref: from, ...person } = readPrefill(query)
  const ref = from ?? payer?.ref ?? ''
  // Of a link that asks for a document, nothing shows whose it was the last time.
  if (linkedCustomerId) return { ...BLANK_VALUES, method, ref }
  if (!payer?.payerTaxId) return { ...BLANK_VALUES, method, ref, ...person }
  const typed = isTyped(payer, updatedAt) ? payer : undefined
  return {
    method,
    name: typed?.payerName ?? person.name,
    taxId: formatTaxId(payer.payerTaxId),
    email: typed?.payerEmail ?? person.email,
    phone: typed?.payerPhone ?? '',
    installments: payer.installments,
    ref,
    answers: toTypedAnswers(payer.customFields),
  }
}

/** The link may have been for a customer before it was changed, who was known and gave the document alone. */
function isTyped({ customerId, createdAt }: TransactionRow, linkUpdatedAt: string) {
  const firstNewId = buildMinUuid(Date.parse(createdAt) - TRANSACTION_ID_SKEW_MS)
  return createdAt >= linkUpdatedAt || customerId >= firstNewId
}

// What a link's address brings along for the form: `?name=&email=&ref=`. What it may not be is passed over.
const NAME_MAX_LENGTH = 120

const takeText = (max: number) => textField({ max }).catch('')

const Prefill = z.object({
  name: takeText(NAME_MAX_LENGTH),
  email: takeText(EMAIL_MAX_LENGTH),
  ref: refField,
})

const NOTHING: z.output<typeof Prefill> = { name: '', email: '', ref: null }

function readPrefill(query: { name?: unknown; email?: unknown; ref?: unknown }) {
  // Nearly every address brings none, and is not read for it.
  const { name, email, ref } = query
  return name === undefined && email === undefined && ref === undefined
    ? NOTHING
    : Prefill.parse(query)
}
