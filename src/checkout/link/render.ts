// The form's page, rendered.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { newToken } from '../../database/id.ts'
import { contentPolicy } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { Providers } from '../../providers/provider.ts'
import { checkoutTexts } from '../texts.ts'
import type { LinkViewModel } from '../view-models.ts'
import { resolveCardEntry } from './card-fields.ts'
import { buildLinkViewModel, type CheckoutViewNeeds, type FormState } from './page.ts'

/** A form that nobody has touched. */
export const BLANK_VALUES: LinkViewModel['values'] = {
  method: 'pix',
  name: '',
  taxId: '',
  email: '',
  phone: '',
  installments: 1,
}

const CARDS_PAUSED_NOTICE: LinkViewModel['notice'] = {
  tone: 'info',
  text: checkoutTexts.cards.paused,
}
const CARDS_UNAVAILABLE_NOTICE: LinkViewModel['notice'] = {
  tone: 'warning',
  text: checkoutTexts.cardUnavailable,
}

type LinkRendererNeeds = CheckoutViewNeeds & { providers: Providers; log: FastifyBaseLogger }
type CachedHtml = { before: Buffer; after: Buffer; policy: string }

/**
 * Renders a link's page. From the second payer on, the untouched form is kept for as long as its link is
 * kept in memory, as the bytes around the attempt token: only that differs between payers. A link that is
 * meant for a customer is rendered each time, since the customer may change without it.
 */
export function createLinkRenderer(app: FastifyInstance, needs: LinkRendererNeeds) {
  const mark = newToken()
  const kept = new WeakMap<LinkWithCompany, CachedHtml | 'seen once'>()

  return async (found: LinkWithCompany, state: FormState) => {
    const untouched = state.errors.length === 0 && !state.notice && state.values === BLANK_VALUES
    if (!untouched || state.cardsPaused || found.link.linkedCustomerId) return draw(found, state)
    const known = kept.get(found)
    if (!known) {
      kept.set(found, 'seen once')
      return draw(found, state)
    }
    const { before, after, policy } = known === 'seen once' ? await keep(found, state) : known
    return { html: Buffer.concat([before, Buffer.from(state.attempt), after]), policy }
  }

  async function keep(found: LinkWithCompany, state: FormState) {
    const { html, policy, isWhole } = await draw(found, { ...state, attempt: mark })
    const at = html.indexOf(mark)
    const [before, after] = [html.subarray(0, at), html.subarray(at + mark.length)]
    const fresh = { before, after, policy }
    if (isWhole) kept.set(found, fresh)
    return fresh
  }

  /** Not whole: cards cannot be taken for now. */
  async function draw(found: LinkWithCompany, state: FormState) {
    const { cardWay, without } = await cardsOf(found, state)
    const page = buildLinkViewModel(needs, found, cardWay, {
      ...state,
      notice: state.notice ?? without,
    })
    const policy = contentPolicy({
      style: page.merchant.brandStyle,
      ...(cardWay && { origins: cardWay.form }),
    })
    return { html: Buffer.from(await app.view('checkout/link', page)), policy, isWhole: !without }
  }

  /** How payers type a card, or what to say instead. Where there is nothing but cards a pause leaves them. */
  async function cardsOf({ link, company }: LinkWithCompany, { cardsPaused }: FormState) {
    const { methods } = link
    if (!methods.includes('credit_card')) return { cardWay: null, without: null }
    if (cardsPaused && methods.includes('pix'))
      return { cardWay: null, without: CARDS_PAUSED_NOTICE }
    const cardWay = await resolveCardEntry(needs, company)
    return { cardWay, without: cardWay ? null : CARDS_UNAVAILABLE_NOTICE }
  }
}
