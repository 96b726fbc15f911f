// The answers at a link: its form, or the page that says why it cannot be paid.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLinkedCustomer } from '../../customers/customer.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { type FormAttempt, formatFormAttempt } from '../form.ts'
import { resolveTexts } from '../language.ts'
import { sendCheckoutPage } from '../layout.ts'
import { maskLinkedCustomer } from '../linked-customer.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { getCardPauseSeconds } from '../payment/card-pause.ts'
import { buildKnownDocument } from '../sealed-prefill.ts'
import { limitUnknownAddresses } from '../unknown-address.ts'
import { buildLinkForm } from './form-page.ts'
import type { FormState } from './page.ts'
import { buildUnknownLinkViewModel, buildUnpayableViewModel } from './unavailable.ts'

export type RenderedForm = Omit<
  FormState,
  'linkedCustomer' | 'knownDocument' | 'cardsPaused' | 'attempt'
> & {
  attempt: FormAttempt
}

export function createLinkReplies(needs: CheckoutNeeds) {
  const { db } = needs

  return {
    async sendForm(reply: FastifyReply, found: LinkWithCompany, form: RenderedForm) {
      const linkedCustomer = maskLinkedCustomer(await findLinkedCustomer(db, found.link))
      const cardsPaused = getCardPauseSeconds(found.link, needs.now()) > 0
      const attempt = formatFormAttempt(form.attempt)
      const knownDocument = buildKnownDocument(needs, reply.request, found.link, form.errors)
      const state = { ...form, attempt, linkedCustomer, knownDocument, cardsPaused }
      const { page, policy } = await buildLinkForm(needs, found, state)
      return sendCheckoutPage(reply, 'checkout/link/page', page, policy)
    },

    async sendUnpayable(request: FastifyRequest, reply: FastifyReply, found: LinkWithCompany) {
      const page = buildUnpayableViewModel(needs, found, {
        now: needs.now(),
        t: resolveTexts(request),
      })
      if (page.retryAfterSeconds) reply.header('retry-after', String(page.retryAfterSeconds))
      const status = page.retryAfterSeconds ? 503 : 410
      return sendCheckoutPage(reply.code(status), 'checkout/link/unavailable', page)
    },

    async sendUnknown(request: FastifyRequest, reply: FastifyReply, slug: string) {
      const t = resolveTexts(request)
      await limitUnknownAddresses(needs, request)
      const page = buildUnknownLinkViewModel(needs, { slug, t })
      return sendCheckoutPage(reply.code(404), 'checkout/link/unavailable', page)
    },
  }
}
