// A payer at a link: its page, the form, and the pages for links that cannot be paid.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../database/id.ts'
import { tooManyRequests } from '../http/errors.ts'
import type { Limiter } from '../http/limiter.ts'
import { contentPolicy, sendPage } from '../http/pages.ts'
import { type LinkWithCompany, statusOf } from '../payment-links/payment-link.ts'
import type { PayNeeds } from '../transactions/pay.ts'
import { findByAttempt, type TransactionRow } from '../transactions/transaction.ts'
import { texts } from '../texts.ts'
import { formatTaxId } from '../format.ts'
import { attemptOf, typedValues } from './form.ts'
import { type FormState, linkPage, type PageNeeds } from './link-page.ts'
import type { FindLink } from './links.ts'
import { type Paid, payLink } from './pay.ts'
import type { LinkPage, UnpayablePage } from './pages.ts'
import { stateOf } from './payment-page.ts'
import { merchantOf } from './shell.ts'
import { keepVisit, newVisit, readVisit } from './visit.ts'

export type CheckoutNeeds = PageNeeds & PayNeeds & { findLink: FindLink; limiter: Limiter; secure: boolean }

type Slug = { Params: { slug: string } }
type Open = Slug & { Querystring: { new?: string; method?: string } }

const UNKNOWN_SLUGS = { max: 60, windowMs: 60_000 }
const BLANK: LinkPage['values'] = { method: 'pix', name: '', taxId: '', email: '', phone: '', installments: 1 }

export async function linkRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const render = pageRenderer(app, needs)

  app.get<Open>('/:slug', async (request, reply) => {
    const { slug } = request.params
    const found = await needs.findLink(slug)
    if (!found) return sendUnknown(request, reply)

    const last = readVisit(request, slug)
    const before = last && (await findByAttempt(needs.db, found.link.id, last.attempt))
    const again = request.query.new !== undefined
    if (before && !again && isWorthResuming(before, needs.now())) {
      return reply.redirect(`${needs.mount}/${slug}/payments/${before.token}`, 303)
    }
    if (statusOf(found.link, needs.now()) !== 'active') return sendUnpayable(reply, found)

    const visit = before || !last ? newVisit(last) : last
    keepVisit(reply, visit, { ...needs, slug })
    const payer = before ?? (last?.before ? await findByAttempt(needs.db, found.link.id, last.before) : undefined)
    return sendForm(reply, found, {
      attempt: visit.attempt,
      values: startingValues(payer, request.query.method),
      errors: [],
      notice: null,
    })
  })

  app.post<Slug>('/:slug/payments', async (request, reply) => {
    const found = await needs.findLink(request.params.slug)
    if (!found) return sendUnknown(request, reply)
    return answer(reply, found, await payLink(needs, found, request.body), request.body)
  })

  async function answer(reply: FastifyReply, found: LinkWithCompany, paid: Paid, body: unknown) {
    if (paid.kind === 'payment') {
      return reply.redirect(`${needs.mount}/${found.link.slug}/payments/${paid.token}`, 303)
    }
    if (paid.kind === 'unpayable') return sendUnpayable(reply, found)
    const state = { attempt: attemptOf(body) ?? newToken(), values: typedValues(body, BLANK) }
    if (paid.kind === 'invalid') {
      return sendForm(reply.code(422), found, { ...state, errors: paid.errors, notice: null })
    }
    const notice = { tone: 'warning' as const, text: paid.message }
    return sendForm(reply.code(409), found, { ...state, errors: [], notice })
  }

  async function sendForm(reply: FastifyReply, found: LinkWithCompany, state: FormState) {
    const { html, policy } = await render(found, state)
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    return reply.send(html)
  }

  async function sendUnknown(request: FastifyRequest, reply: FastifyReply) {
    const { exceeded, retryAfterMs } = await needs.limiter.hit(`slug:${request.ip}`, UNKNOWN_SLUGS)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.checkout.tooMany)
    const { asset } = needs
    const page: UnpayablePage = {
      asset,
      testMode: false,
      merchant: null,
      reportUrl: null,
      reason: 'unknown',
      message: null,
      title: null,
    }
    return sendPage(app, reply.code(404), 'checkout/unpayable', page)
  }

  async function sendUnpayable(reply: FastifyReply, { link, company }: LinkWithCompany) {
    const status = statusOf(link, needs.now())
    const merchant = merchantOf(company)
    const page: UnpayablePage = {
      asset: needs.asset,
      testMode: false,
      merchant,
      reportUrl: null,
      reason: status === 'expired' || status === 'completed' ? status : 'inactive',
      message: link.inactiveMessage,
      title: link.title,
    }
    reply.header('content-security-policy', contentPolicy({ style: merchant.brandStyle }))
    return sendPage(app, reply.code(410), 'checkout/unpayable', page)
  }
}

/** A finished attempt that failed is not resumed: the form is, with what was typed. */
function isWorthResuming(row: TransactionRow, now: Date) {
  return !['declined', 'expired', 'canceled'].includes(stateOf(row, now))
}

function startingValues(payer: TransactionRow | undefined, method: string | undefined): LinkPage['values'] {
  const chosen = (method ?? payer?.method) === 'credit_card' ? 'credit_card' : 'pix'
  if (!payer) return chosen === 'pix' ? BLANK : { ...BLANK, method: chosen }
  return {
    method: chosen,
    name: payer.payerName,
    taxId: formatTaxId(payer.payerTaxId),
    email: payer.payerEmail,
    phone: payer.payerPhone ?? '',
    installments: payer.installments,
  }
}

/**
 * Renders a link's page. The untouched form is rendered once for each link that is kept in memory: only
 * its attempt token differs from one payer to the next.
 */
function pageRenderer(app: FastifyInstance, needs: PageNeeds) {
  const mark = newToken()
  const kept = new WeakMap<LinkWithCompany, { parts: string[]; policy: string }>()

  return async (found: LinkWithCompany, state: FormState) => {
    const known = kept.get(found)
    const untouched = state.errors.length === 0 && !state.notice && state.values === BLANK
    if (!untouched) return draw(found, state)
    const fresh = known ?? (await drawParts(found, state))
    kept.set(found, fresh)
    return { html: fresh.parts.join(state.attempt), policy: fresh.policy }
  }

  async function drawParts(found: LinkWithCompany, state: FormState) {
    const { html, policy } = await draw(found, { ...state, attempt: mark })
    return { parts: html.split(mark), policy }
  }

  async function draw(found: LinkWithCompany, state: FormState) {
    const page = linkPage(needs, found, state)
    const policy = contentPolicy({ style: page.merchant.brandStyle })
    return { html: await app.view('checkout/link', page), policy }
  }
}
