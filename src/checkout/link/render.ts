// The form's page, rendered.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
import { newToken } from '../../database/id.ts'
import { buildContentPolicy, renderView } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { Providers } from '../../providers/provider.ts'
import { resolveCardEntry } from '../card-entry.ts'
import type { CheckoutViewNeeds } from '../needs.ts'
import { checkoutTexts } from '../texts.ts'
import type { LinkViewModel } from '../view-models.ts'
import { buildLinkViewModel, type FormState } from './page.ts'

/** A form that nobody has touched. */
export const BLANK_VALUES: LinkViewModel['values'] = {
  method: 'pix',
  name: '',
  taxId: '',
  email: '',
  phone: '',
  installments: 1,
  ref: '',
  answers: new Map(),
}

const CARDS_PAUSED_NOTICE: LinkViewModel['notice'] = {
  tone: 'info',
  text: checkoutTexts.cards.paused,
}
const CARDS_UNAVAILABLE_NOTICE: LinkViewModel['notice'] = {
  tone: 'warning',
  text: checkoutTexts.cardUnavailable,
}
const PIX_UNAVAILABLE_NOTICE: LinkViewModel['notice'] = {
  tone: 'warning',
  text: checkoutTexts.pixUnavailable,
}

type LinkRendererNeeds = CheckoutViewNeeds & { providers: Providers; log: FastifyBaseLogger }
type RenderedHtml = { kind: 'rendered'; before: Buffer; after: Buffer; policy: string }
/** Seen: one payer has opened it. */
type CachedHtml = { kind: 'seen' } | RenderedHtml

/**
 * Renders a link's page. From the second payer on, the untouched form is kept for as long as its link is
 * kept in memory, as the bytes around the attempt token: only that differs between payers. A link that is
 * meant for a customer is rendered each time, since the customer may change without it.
 */
export function createLinkRenderer(app: FastifyInstance, needs: LinkRendererNeeds) {
  const mark = newToken()
  const cached = new WeakMap<LinkWithCompany, CachedHtml>()

  return async (found: LinkWithCompany, state: FormState) => {
    const untouched = state.errors.length === 0 && !state.notice && state.values === BLANK_VALUES
    if (!untouched || state.cardsPaused || found.link.linkedCustomerId)
      return renderHtml(found, state)
    const known = cached.get(found)
    if (!known) {
      cached.set(found, { kind: 'seen' })
      return renderHtml(found, state)
    }
    const { before, after, policy } = known.kind === 'seen' ? await cacheHtml(found, state) : known
    return { html: Buffer.concat([before, Buffer.from(state.attempt), after]), policy }
  }

  async function cacheHtml(found: LinkWithCompany, state: FormState) {
    const { html, policy, isWhole } = await renderHtml(found, { ...state, attempt: mark })
    const at = html.indexOf(mark)
    const [before, after] = [html.subarray(0, at), html.subarray(at + mark.length)]
    const rendered: RenderedHtml = { kind: 'rendered', before, after, policy }
    if (isWhole) cached.set(found, rendered)
    return rendered
  }

  /** Not whole: a method cannot be taken for now. */
  async function renderHtml(found: LinkWithCompany, state: FormState) {
    const { cardEntry, without } = await resolveCards(found, state)
    const page = buildLinkViewModel(needs, found, cardEntry, {
      ...state,
      notice: state.notice ?? without,
    })
    const policy = buildContentPolicy({
      style: page.merchant.brandStyle,
      ...(cardEntry && { origins: cardEntry.form }),
    })
    return {
      html: Buffer.from(await renderView(app, 'checkout/link/page', page)),
      policy,
      isWhole: !without,
    }
  }

  /** How payers type a card, or what to say instead. Where there is nothing but cards a pause leaves them. */
  async function resolveCards({ link, company }: LinkWithCompany, { cardsPaused }: FormState) {
    if (!link.methods.includes('credit_card')) return { cardEntry: null, without: null }
    const pix = listOfferedMethods(company, link.methods).includes('pix')
    if (cardsPaused && pix) return { cardEntry: null, without: CARDS_PAUSED_NOTICE }
    const cardEntry = await resolveCardEntry(needs, company)
    if (!cardEntry) return { cardEntry: null, without: CARDS_UNAVAILABLE_NOTICE }
    return {
      cardEntry,
      without: link.methods.includes('pix') && !pix ? PIX_UNAVAILABLE_NOTICE : null,
    }
  }
}
