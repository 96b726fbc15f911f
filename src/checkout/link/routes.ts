// A payer at a link: its page, the form, and the pages for links that cannot be paid.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
import { newToken } from '../../database/id.ts'
import { formatTaxId } from '../../format.ts'
import { getLinkStatus, type LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { readAttemptToken, readTypedValues } from '../form.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { paymentPath } from '../paths.ts'
import { getCardPauseSeconds } from '../payment/card-pause.ts'
import { type PayLinkResult, payLink } from '../payment/pay.ts'
import { createPaymentReplies } from '../payment/replies.ts'
import type { LinkViewModel } from '../view-models.ts'
import { BLANK_VALUES } from './render.ts'
import { createLinkReplies, type RenderedForm } from './replies.ts'
import { resolveVisit, setVisitCookie } from './visit.ts'

type LinkRoute = { Params: { slug: string } }
type OpenLinkRoute = LinkRoute & { Querystring: { new?: string; method?: string } }
type RetryResult = Extract<PayLinkResult, { kind: 'retry' }>

export async function checkoutLinkRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db } = needs
  const { sendForm, sendUnknown, sendUnpayable } = createLinkReplies(app, needs)
  const { answerPayer } = createPaymentReplies(app, needs)

  app.get<OpenLinkRoute>('/:slug', async (request, reply) => {
    const { slug } = request.params
    const found = await needs.findLink(slug)
    if (!found) return sendUnknown(request, reply)

    const now = needs.now()
    const { visit, resume, payer, isFirst } = await resolveVisit(request, {
      db,
      now,
      link: found.link,
    })
    const isNew = request.query.new !== undefined
    if (resume && !isNew) return reply.redirect(paymentPath(needs, slug, resume.token), 303)
    if (!isPayable(found, now)) return sendUnpayable(reply, found)

    setVisitCookie(reply, visit, { ...needs, slug })
    if (isFirst) needs.visits.countOpened(found.link.id, request)
    const values = buildInitialValues(found, payer, request.query.method)
    return sendForm(reply, found, { attempt: visit.attempt, values, errors: [], notice: null })
  })

  app.post<LinkRoute>('/:slug/payments', async (request, reply) => {
    const shown = await needs.findLink(request.params.slug)
    if (!shown) return sendUnknown(request, reply)
    const { body, ip: address } = request
    const { paid, found } = await payLink(needs, shown, { body, address })
    if (paid.kind === 'payment') {
      return answerPayer(request, reply, { slug: found.link.slug, token: paid.token })
    }
    if (paid.kind === 'unpayable') return sendUnpayable(reply, found)

    const attempt = readAttemptToken(body) ?? newToken()
    const values = readTypedValues(body, BLANK_VALUES)
    if (paid.kind === 'retry') return sendRetry(reply, found, paid, { attempt, values })
    const { errors } = paid
    return sendForm(reply.code(422), found, { attempt, values, errors, notice: null })
  })

  async function sendRetry(
    reply: FastifyReply,
    found: LinkWithCompany,
    { message: text, method, retryAfterSeconds }: RetryResult,
    { attempt, values: typed }: Pick<RenderedForm, 'attempt' | 'values'>,
  ) {
    if (retryAfterSeconds) reply.code(429).header('retry-after', retryAfterSeconds)
    else reply.code(409)
    const values = method ? { ...typed, method } : typed
    const notice = { tone: 'warning' as const, text }
    return sendForm(reply, found, { attempt, values, errors: [], notice })
  }
}

/** A link that takes only cards has nothing to offer while they are paused. */
function isPayable({ link, company }: LinkWithCompany, now: Date) {
  const offered = listOfferedMethods(company, link.methods)
  const open =
    offered.length > 0 && (offered.includes('pix') || getCardPauseSeconds(link, now) === 0)
  return open && getLinkStatus(link, now) === 'active'
}

function buildInitialValues(
  { link }: LinkWithCompany,
  last: TransactionRow | undefined,
  asked: string | undefined,
): LinkViewModel['values'] {
  // Of a link that asks for a document, nothing shows whose it was the last time.
  const payer = link.linkedCustomerId ? undefined : last
  const method = (asked ?? payer?.method) === 'credit_card' ? 'credit_card' : 'pix'
  if (!payer?.payerTaxId) return method === 'pix' ? BLANK_VALUES : { ...BLANK_VALUES, method }
  return {
    method,
    name: payer.payerName,
    taxId: formatTaxId(payer.payerTaxId),
    email: payer.payerEmail ?? '',
    phone: payer.payerPhone ?? '',
    installments: payer.installments,
  }
}
