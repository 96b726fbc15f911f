// A payer at a link: its page, the form, and the pages for links that cannot be paid.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../../database/id.ts'
import { formatTaxId } from '../../format.ts'
import { tooManyRequests } from '../../http/errors.ts'
import { contentPolicy, sendPage } from '../../http/html.ts'
import {
  getLinkStatus,
  type LinkRow,
  type LinkWithCompany,
} from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { getCardPauseSeconds } from '../payment/card-testing.ts'
import type { PaymentLimitNeeds } from '../payment/limits.ts'
import { type PayLinkResult, payLink } from '../payment/pay.ts'
import type { LinkViewModel } from '../view-models.ts'
import type { FindLink } from './cache.ts'
import { findLinkedCustomer, maskLinkedCustomer } from './customer.ts'
import { readAttemptToken, readTypedValues } from './form.ts'
import type { CheckoutViewNeeds, FormState } from './page.ts'
import { BLANK_VALUES, createLinkRenderer } from './render.ts'
import { buildUnknownLinkViewModel, buildUnpayableViewModel } from './unavailable.ts'
import { resolveVisit, setVisitCookie } from './visit.ts'

export type CheckoutNeeds = CheckoutViewNeeds &
  PaymentLimitNeeds & {
    findLink: FindLink
    secure: boolean
  }

type RenderedForm = Omit<FormState, 'linkedCustomer' | 'cardsPaused'>
type LinkRoute = { Params: { slug: string } }
type OpenLinkRoute = LinkRoute & { Querystring: { new?: string; method?: string } }

const UNKNOWN_SLUG_LIMIT = { max: 60, windowMs: 60_000 }

export async function checkoutLinkRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db, asset, mount } = needs
  const render = createLinkRenderer(app, needs)

  app.get<OpenLinkRoute>('/:slug', async (request, reply) => {
    const { slug } = request.params
    const found = await needs.findLink(slug)
    if (!found) return sendUnknown(request, reply)

    const now = needs.now()
    const { visit, resume, payer } = await resolveVisit(request, { db, now, link: found.link })
    const again = request.query.new !== undefined
    if (resume && !again) return seePayment(reply, slug, resume.token)
    if (!isPayable(found.link, now)) return sendUnpayable(reply, found)

    setVisitCookie(reply, visit, { ...needs, slug })
    // Of a link that asks for a document, nothing shows whose it was the last time.
    const known = found.link.linkedCustomerId ? undefined : payer
    const values = buildInitialValues(known, request.query.method)
    return sendForm(reply, found, { attempt: visit.attempt, values, errors: [], notice: null })
  })

  app.post<LinkRoute>('/:slug/payments', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(request, reply)
    const { body, ip: address } = request
    return answer(reply, found, await payLink(needs, found, { body, address }), body)
  })

  async function answer(
    reply: FastifyReply,
    found: LinkWithCompany,
    paid: PayLinkResult,
    body: unknown,
  ) {
    if (paid.kind === 'payment') return seePayment(reply, found.link.slug, paid.token)
    if (paid.kind === 'unpayable') return sendUnpayable(reply, found)
    const state = {
      attempt: readAttemptToken(body) ?? newToken(),
      values: readTypedValues(body, BLANK_VALUES),
    }
    if (paid.kind === 'invalid') {
      return sendForm(reply.code(422), found, { ...state, errors: paid.errors, notice: null })
    }
    return sendAgain(reply, found, paid, state)
  }

  async function sendAgain(
    reply: FastifyReply,
    found: LinkWithCompany,
    { message: text, method, retryAfterSeconds }: Extract<PayLinkResult, { kind: 'again' }>,
    { attempt, values: typed }: Pick<RenderedForm, 'attempt' | 'values'>,
  ) {
    if (retryAfterSeconds) reply.code(429).header('retry-after', retryAfterSeconds)
    else reply.code(409)
    const values = method ? { ...typed, method } : typed
    const notice = { tone: 'warning' as const, text }
    return sendForm(reply, found, { attempt, values, errors: [], notice })
  }

  function seePayment(reply: FastifyReply, slug: string, token: string) {
    return reply.redirect(`${mount}/${slug}/payments/${token}`, 303)
  }

  async function sendForm(reply: FastifyReply, found: LinkWithCompany, form: RenderedForm) {
    const linkedCustomer = maskLinkedCustomer(await findLinkedCustomer(db, found.link))
    const cardsPaused = getCardPauseSeconds(found.link, needs.now()) > 0
    const { html, policy } = await render(found, { ...form, linkedCustomer, cardsPaused })
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    return reply.send(html)
  }

  async function sendUnknown(request: FastifyRequest, reply: FastifyReply) {
    const { exceeded, retryAfterMs } = await needs.limiter.hit(
      `slug:${request.ip}`,
      UNKNOWN_SLUG_LIMIT,
    )
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)
    return sendPage(app, reply.code(404), 'checkout/unpayable', buildUnknownLinkViewModel(asset))
  }

  async function sendUnpayable(reply: FastifyReply, found: LinkWithCompany) {
    const page = buildUnpayableViewModel(asset, found, needs.now())
    const style = page.merchant?.brandStyle ?? null
    reply.header('content-security-policy', contentPolicy({ style }))
    if (page.retryAfterSeconds) reply.header('retry-after', String(page.retryAfterSeconds))
    const status = page.retryAfterSeconds ? 503 : 410
    return sendPage(app, reply.code(status), 'checkout/unpayable', page)
  }
}

/** A link that takes only cards has nothing to offer while they are paused. */
function isPayable(link: LinkRow, now: Date) {
  const open = link.methods.includes('pix') || getCardPauseSeconds(link, now) === 0
  return open && getLinkStatus(link, now) === 'active'
}

function buildInitialValues(
  payer: TransactionRow | undefined,
  asked: string | undefined,
): LinkViewModel['values'] {
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
