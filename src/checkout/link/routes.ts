// A payer at a link: its page, the form, and the pages for links that cannot be paid.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
import { formatTaxId } from '../../format.ts'
import { answerFirst } from '../../http/server.ts'
import { isImageFile, sendImage } from '../../http/uploads/image.ts'
import { findLinkImage } from '../../payment-links/image.ts'
import {
  getLinkStatus,
  type LinkRow,
  type LinkWithCompany,
} from '../../payment-links/payment-link.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { toTypedAnswers } from '../answers.ts'
import { type FormAttempt, readTypedValues, resolveFormAttempt } from '../form.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { buildNewQuery, paymentPath, readKnownMs } from '../paths.ts'
import { getCardPauseSeconds } from '../payment/card-pause.ts'
import { type PayLinkResult, payLink, toPaidAttempt } from '../payment/pay.ts'
import { createPaymentReplies } from '../payment/replies.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type { LinkViewModel } from '../view-models.ts'
import { findNews, findNewsOfForm, openForm, recallVisit } from '../visit.ts'
import { buildVisitCookie } from '../visit-cookie.ts'
import { BLANK_VALUES } from './blank.ts'
import { createFormAnswer } from './first-answer.ts'
import { readPrefill } from './prefill.ts'
import { createLinkReplies, type RenderedForm } from './replies.ts'

type LinkRoute = { Params: { slug: string } }
type OpenLinkRoute = LinkRoute & {
  Querystring: Partial<Record<(typeof FORM_PARAMETERS)[number], string>>
}
type LinkImageRoute = { Params: { slug: string; file: string } }
const FORM_PARAMETERS = ['new', 'method', 'name', 'email', 'ref'] as const

type RetryResult = Extract<PayLinkResult, { kind: 'retry' }>
type RetriedForm = Pick<RenderedForm, 'attempt' | 'values' | 't'> & { paid: RetryResult }

export async function checkoutLinkRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db } = needs
  const replies = createLinkReplies(app, needs)
  const { sendForm, sendUnknown, sendUnpayable } = replies
  const { answerPayer } = createPaymentReplies(app, needs)

  answerFirst(app, createFormAnswer(needs, replies))

  app.get<OpenLinkRoute>('/:slug', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(request, reply, request.params.slug)

    const { slug } = found.link
    const [now, t] = [needs.now(), resolveTexts(request)]
    const visit = await recallVisit(request, { db, now, link: found.link })
    const news = findNews(visit, readKnownMs(request.query))
    if (news) return reply.redirect(paymentPath(needs, slug, news.token), 303)
    if (!isPayable(found, now)) return sendUnpayable(request, reply, found)

    const { token, attempts, confirmation, payer, isFirst } = openForm(visit)
    reply.header('set-cookie', buildVisitCookie(needs, slug, attempts))
    if (isFirst) needs.visits.countOpened(found.link.id, request)
    const values = buildInitialValues(found.link, payer, request.query)
    const notice = buildConfirmationNotice(needs, found.link, { confirmation, t })
    const query = buildFormQuery(found.link, request.query)
    const attempt = { token, knownMs: now.getTime() }
    return sendForm(reply, found, { attempt, values, errors: [], notice, t, query })
  })

  app.post<LinkRoute>('/:slug/payments', async (request, reply) => {
    const shown = await needs.findLink(request.params.slug)
    if (!shown) return sendUnknown(request, reply, request.params.slug)
    const { body, ip: address } = request
    const [now, t] = [needs.now(), resolveTexts(request)]
    const attempt = resolveFormAttempt(body, now)
    const news = await findNewsOfForm(request, attempt, { db, now, link: shown.link })
    if (news) return answerPayer(request, reply, shown, toPaidAttempt(news))
    const { paid, found } = await payLink(needs, shown, { body, address, t })
    if (paid.kind === 'payment') return answerPayer(request, reply, found, paid)
    if (paid.kind === 'unpayable') return sendUnpayable(request, reply, found)

    const values = readTypedValues(body, BLANK_VALUES)
    if (paid.kind === 'retry') return sendRetry(request, reply, found, { paid, attempt, values, t })
    const { errors } = paid
    const query = buildShownQuery(found.link, { attempt, values, now })
    const form = { attempt, values, errors, notice: null, t, query }
    return sendForm(reply.code(422), found, form)
  })

  app.get<LinkImageRoute>('/:slug/image/:file', async ({ params: { slug, file } }, reply) => {
    const found = isImageFile(file) ? await needs.findLink(slug) : undefined
    const image = found?.link.imageHash ? await findLinkImage(db, found.link.id) : undefined
    return sendImage(reply, image, file)
  })

  async function sendRetry(
    request: FastifyRequest,
    reply: FastifyReply,
    found: LinkWithCompany,
    { paid, attempt, values: typed, t }: RetriedForm,
  ) {
    const { method, retryAfterSeconds } = paid
    if (retryAfterSeconds) reply.code(429).header('retry-after', retryAfterSeconds)
    else reply.code(409)
    const values = method ? { ...typed, method } : typed
    const notice = await buildRetryNotice(needs, request, found.link, { paid, t })
    const query = buildShownQuery(found.link, { attempt, values, now: needs.now() })
    return sendForm(reply, found, { attempt, values, errors: [], notice, t, query })
  }
}

async function buildRetryNotice(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  link: LinkRow,
  { paid: { message: text, isHeldUp = false }, t }: Pick<RetriedForm, 'paid' | 't'>,
): Promise<RenderedForm['notice']> {
  const { db, now } = needs
  const visit = isHeldUp ? await recallVisit(request, { db, link, now: now() }) : undefined
  const confirmation = visit && openForm(visit).confirmation
  return buildConfirmationNotice(needs, link, { confirmation, t }) ?? { tone: 'warning', text }
}

/** Who has a payment to confirm is led back to it. */
function buildConfirmationNotice(
  needs: CheckoutNeeds,
  { slug }: LinkRow,
  { confirmation, t }: { confirmation: TransactionRow | undefined; t: CheckoutTexts },
): RenderedForm['notice'] {
  if (!confirmation) return null
  return {
    tone: 'warning',
    text: t.problems.confirmationOpen,
    href: paymentPath(needs, slug, confirmation.token) + buildNewQuery(needs.now()),
    link: t.problems.resumeConfirmation,
  }
}

/** A link that takes only cards has nothing to offer while they are paused. */
export function isPayable({ link, company }: LinkWithCompany, now: Date) {
  const offered = listOfferedMethods(company, link.methods)
  const open =
    offered.length > 0 && (offered.includes('pix') || getCardPauseSeconds(link, now) === 0)
  return open && getLinkStatus(link, now) === 'active'
}

type ShownForm = { attempt: FormAttempt; values: LinkViewModel['values']; now: Date }

/** The address of a form that was an answer: it knows what that one knew. */
export function buildShownQuery(link: LinkRow, { attempt, values: { ref }, now }: ShownForm) {
  const knownMs = Math.min(attempt.knownMs, now.getTime())
  return buildFormQuery(link, { new: String(knownMs), ...(ref && { ref }) })
}

/** What of its address the form needs to be shown again as it is. */
function buildFormQuery({ linkedCustomerId }: LinkRow, given: OpenLinkRoute['Querystring']) {
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
  { linkedCustomerId }: LinkRow,
  payer: TransactionRow | undefined,
  query: OpenLinkRoute['Querystring'],
): LinkViewModel['values'] {
  const method = (query.method ?? payer?.method) === 'credit_card' ? 'credit_card' : 'pix'
  const { ref: from, ...person } = readPrefill(query)
  const ref = from ?? payer?.ref ?? ''
  // Of a link that asks for a document, nothing shows whose it was the last time.
  if (linkedCustomerId) return buildBlankValues({ method, ref })
  if (!payer?.payerTaxId) return buildBlankValues({ method, ref, ...person })
  return {
    method,
    name: payer.payerName,
    taxId: formatTaxId(payer.payerTaxId),
    email: payer.payerEmail ?? person.email,
    phone: payer.payerPhone ?? '',
    installments: payer.installments,
    ref,
    answers: toTypedAnswers(payer.customFields),
  }
}

/** That very object where nothing is known: its page is kept rendered. */
function buildBlankValues(known: Partial<LinkViewModel['values']>) {
  const values = { ...BLANK_VALUES, ...known }
  const { method, name, email, ref } = values
  return method === 'pix' && !name && !email && !ref ? BLANK_VALUES : values
}
