// The answers at a link: its form, or the page that says why it cannot be paid.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
import { findLinkedCustomer } from '../../customers/customer.ts'
import {
  getLinkStatus,
  type LinkRow,
  type LinkWithCompany,
} from '../../payment-links/payment-link.ts'
import { resolveCardEntry } from '../card-entry.ts'
import { formatFormAttempt } from '../form.ts'
import { resolveTexts } from '../language.ts'
import { sendCheckoutPage } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { getCardPauseSeconds } from '../payment/card-pause.ts'
import type { SubmissionRefusal } from '../payment/submission.ts'
import { buildKnownDocument } from '../sealed-prefill.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { limitUnknownAddresses } from '../unknown-address.ts'
import { openForm, recallVisit } from '../visit.ts'
import { buildHeldUpNotice } from './new-form.ts'
import {
  buildLinkViewModel,
  type FormNotice,
  maskLinkedCustomer,
  type RenderedForm,
} from './page.ts'
import { buildUnknownLinkViewModel, buildUnpayableViewModel } from './unavailable.ts'

export function createLinkReplies(needs: CheckoutNeeds) {
  return { sendForm, sendRefusal, sendUnpayable, sendUnknown }

  async function sendForm(reply: FastifyReply, found: LinkWithCompany, form: RenderedForm) {
    const { link } = found
    const linkedCustomer = maskLinkedCustomer(await findLinkedCustomer(needs.db, link))
    const cardsPaused = getCardPauseSeconds(link, needs.now()) > 0
    const attempt = formatFormAttempt(form.attempt)
    const knownDocument = buildKnownDocument(needs, reply.request, link, form.errors)
    const { cardEntry, without } = await resolveCards(needs, found, { cardsPaused, t: form.t })
    const notice = form.notice ?? without
    const state = { ...form, attempt, linkedCustomer, knownDocument, notice }
    const page = buildLinkViewModel(needs, found, cardEntry, state)
    const policy = cardEntry ? { origins: cardEntry.form } : {}
    return sendCheckoutPage(reply, 'checkout/link/page', page, policy)
  }

  /**
   * Shows the form again, as it was sent or a new one, with the reason why it made no payment. A link that has ended has
   * no form, whatever was wrong with the sent one.
   */
  async function sendRefusal(
    reply: FastifyReply,
    found: LinkWithCompany,
    form: RenderedForm,
    refusal: SubmissionRefusal,
  ) {
    const hasEnded = getLinkStatus(found.link, needs.now()) !== 'active'
    if (refusal.kind === 'unpayable' || hasEnded) return sendUnpayable(reply, found)
    if (refusal.kind === 'invalid')
      return sendForm(reply.code(422), found, { ...form, errors: refusal.errors })
    const { method, retryAfterSeconds } = refusal
    if (retryAfterSeconds) reply.code(429).header('retry-after', retryAfterSeconds)
    else reply.code(409)
    const values = method ? { ...form.values, method } : form.values
    const notice = await buildRetryNotice(needs, reply.request, found.link, refusal)
    return sendForm(reply, found, { ...form, values, notice })
  }

  async function sendUnpayable(reply: FastifyReply, found: LinkWithCompany) {
    const t = resolveTexts(reply.request)
    const page = buildUnpayableViewModel(needs, found, { now: needs.now(), t })
    if (page.retryAfterSeconds) reply.header('retry-after', String(page.retryAfterSeconds))
    const status = page.retryAfterSeconds ? 503 : 410
    return sendCheckoutPage(reply.code(status), 'checkout/link/unavailable', page)
  }

  async function sendUnknown(reply: FastifyReply, slug: string) {
    const t = resolveTexts(reply.request)
    await limitUnknownAddresses(needs, reply.request)
    const page = buildUnknownLinkViewModel(needs, { slug, t })
    return sendCheckoutPage(reply.code(404), 'checkout/link/unavailable', page)
  }
}

/** Says why, or that an open confirmation of this browser holds the payment up. */
async function buildRetryNotice(
  needs: CheckoutNeeds,
  request: FastifyRequest,
  link: LinkRow,
  { message: text, isBlockedByPayments = false }: Extract<SubmissionRefusal, { kind: 'retry' }>,
): Promise<FormNotice> {
  const { db, now } = needs
  const visit = isBlockedByPayments
    ? await recallVisit(request, { db, link, now: now() })
    : undefined
  const confirmation = visit && openForm(visit).confirmation
  const notice = buildHeldUpNotice(needs, link, { confirmation, t: resolveTexts(request) })
  return { ...(notice ?? { tone: 'warning', text }), isAnswer: true }
}

/** Returns how payers enter a card, or a notice. A link with only cards keeps them during a pause. */
async function resolveCards(
  needs: CheckoutNeeds,
  { link, company }: LinkWithCompany,
  { cardsPaused, t }: { cardsPaused: boolean; t: CheckoutTexts },
) {
  if (!link.methods.includes('credit_card')) return { cardEntry: null, without: null }
  const pix = listOfferedMethods(company, link.methods).includes('pix')
  if (cardsPaused && pix) return { cardEntry: null, without: buildNotice('info', t.cards.paused) }
  const cardEntry = await resolveCardEntry(needs, company)
  if (!cardEntry)
    return { cardEntry: null, without: buildNotice('warning', t.problems.cardUnavailable) }
  return {
    cardEntry,
    without:
      link.methods.includes('pix') && !pix
        ? buildNotice('warning', t.problems.pixUnavailable)
        : null,
  }
}

function buildNotice(tone: FormNotice['tone'], text: string): FormNotice {
  return { tone, text }
}
