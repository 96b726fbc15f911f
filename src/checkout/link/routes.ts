// A payer at a link: its page, the form, and the pages for links that cannot be paid.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../../database/id.ts'
import { formatTaxId } from '../../format.ts'
import { tooManyRequests } from '../../http/errors.ts'
import { contentPolicy, sendPage } from '../../http/html.ts'
import { type LinkRow, type LinkWithCompany, statusOf } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { secondsOfPause } from '../payment/card-testing.ts'
import type { LimitNeeds } from '../payment/limits.ts'
import { type Paid, payLink } from '../payment/pay.ts'
import type { LinkPage } from '../view-models.ts'
import type { FindLink } from './cache.ts'
import { findLinkedCustomer, maskedCustomer } from './customer.ts'
import { attemptOf, typedValues } from './form.ts'
import type { FormState, PageNeeds } from './page.ts'
import { BLANK, pageRenderer } from './render.ts'
import { unknownPage, unpayablePage } from './unavailable.ts'
import { keepVisit, recognise } from './visit.ts'

export type CheckoutNeeds = PageNeeds &
  LimitNeeds & {
    findLink: FindLink
    secure: boolean
  }

type Form = Omit<FormState, 'linkedCustomer' | 'cardsPaused'>
type Slug = { Params: { slug: string } }
type Open = Slug & { Querystring: { new?: string; method?: string } }

const UNKNOWN_SLUGS = { max: 60, windowMs: 60_000 }

export async function linkRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db, asset, mount } = needs
  const render = pageRenderer(app, needs)

  app.get<Open>('/:slug', async (request, reply) => {
    const { slug } = request.params
    const found = await needs.findLink(slug)
    if (!found) return sendUnknown(request, reply)

    const now = needs.now()
    const { visit, resume, payer } = await recognise(request, { db, now, link: found.link })
    const again = request.query.new !== undefined
    if (resume && !again) return seePayment(reply, slug, resume.token)
    if (!isPayable(found.link, now)) return sendUnpayable(reply, found)

    keepVisit(reply, visit, { ...needs, slug })
    // Of a link that asks for a document, nothing shows whose it was the last time.
    const known = found.link.linkedCustomerId ? undefined : payer
    const values = startingValues(known, request.query.method)
    return sendForm(reply, found, { attempt: visit.attempt, values, errors: [], notice: null })
  })

  app.post<Slug>('/:slug/payments', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(request, reply)
    const { body, ip: address } = request
    return answer(reply, found, await payLink(needs, found, { body, address }), body)
  })

  async function answer(reply: FastifyReply, found: LinkWithCompany, paid: Paid, body: unknown) {
    if (paid.kind === 'payment') return seePayment(reply, found.link.slug, paid.token)
    if (paid.kind === 'unpayable') return sendUnpayable(reply, found)
    const state = { attempt: attemptOf(body) ?? newToken(), values: typedValues(body, BLANK) }
    if (paid.kind === 'invalid') {
      return sendForm(reply.code(422), found, { ...state, errors: paid.errors, notice: null })
    }
    return sendAgain(reply, found, paid, state)
  }

  async function sendAgain(
    reply: FastifyReply,
    found: LinkWithCompany,
    { message: text, method, retryAfterSeconds }: Extract<Paid, { kind: 'again' }>,
    { attempt, values: typed }: Pick<Form, 'attempt' | 'values'>,
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

  async function sendForm(reply: FastifyReply, found: LinkWithCompany, form: Form) {
    const linkedCustomer = maskedCustomer(await findLinkedCustomer(db, found.link))
    const cardsPaused = secondsOfPause(found.link, needs.now()) > 0
    const { html, policy } = await render(found, { ...form, linkedCustomer, cardsPaused })
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    return reply.send(html)
  }

  async function sendUnknown(request: FastifyRequest, reply: FastifyReply) {
    const { exceeded, retryAfterMs } = await needs.limiter.hit(`slug:${request.ip}`, UNKNOWN_SLUGS)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)
    return sendPage(app, reply.code(404), 'checkout/unpayable', unknownPage(asset))
  }

  async function sendUnpayable(reply: FastifyReply, found: LinkWithCompany) {
    const page = unpayablePage(asset, found, needs.now())
    const style = page.merchant?.brandStyle ?? null
    reply.header('content-security-policy', contentPolicy({ style }))
    if (page.retryAfterSeconds) reply.header('retry-after', String(page.retryAfterSeconds))
    const status = page.retryAfterSeconds ? 503 : 410
    return sendPage(app, reply.code(status), 'checkout/unpayable', page)
  }
}

/** A link that takes only cards has nothing to offer while they are paused. */
function isPayable(link: LinkRow, now: Date) {
  const open = link.methods.includes('pix') || secondsOfPause(link, now) === 0
  return open && statusOf(link, now) === 'active'
}

function startingValues(
  payer: TransactionRow | undefined,
  asked: string | undefined,
): LinkPage['values'] {
  const method = (asked ?? payer?.method) === 'credit_card' ? 'credit_card' : 'pix'
  if (!payer?.payerTaxId) return method === 'pix' ? BLANK : { ...BLANK, method }
  return {
    method,
    name: payer.payerName,
    taxId: formatTaxId(payer.payerTaxId),
    email: payer.payerEmail ?? '',
    phone: payer.payerPhone ?? '',
    installments: payer.installments,
  }
}
