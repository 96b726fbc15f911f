// The form's page, rendered.

import type { FastifyBaseLogger } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
import type { Locale } from '../../database/enums.ts'
import { newToken } from '../../database/id.ts'
import { buildContentPolicy, renderView } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { Providers } from '../../providers/provider.ts'
import { resolveCardEntry } from '../card-entry.ts'
import { buildLanguageHeaders } from '../language.ts'
import { listPictures } from '../layout.ts'
import type { CheckoutViewNeeds } from '../needs.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import type { LinkViewModel } from '../view-models.ts'
import { BLANK_VALUES } from './blank.ts'
import { buildLinkViewModel, type FormState } from './page.ts'

type FormNotice = LinkViewModel['notice']

type LinkRendererNeeds = CheckoutViewNeeds & { providers: Providers; log: FastifyBaseLogger }
type PageHeaders = Record<'content-security-policy' | 'content-type', string> &
  ReturnType<typeof buildLanguageHeaders>
/** Until then its link can be paid. */
export type KeptPage = {
  before: Buffer
  after: Buffer
  headers: PageHeaders
  endsAtMs: number
}
type KeptPages = Partial<Record<Locale, KeptPage>>

/**
 * Renders a link's page. Where it is asked for, the untouched form is kept for as long as its link is kept in
 * memory, in each language that it is read in, as the bytes around the attempt token: only that differs between
 * payers. A link that is meant for a customer is rendered each time, since the customer may change without it.
 */
export function createLinkRenderer(needs: LinkRendererNeeds) {
  const mark = newToken()
  const pages = createPageCache()

  return {
    /** @param keep the page, if it can be kept */
    async renderForm(found: LinkWithCompany, state: FormState, keep: boolean) {
      const hasNews = state.errors.length > 0 || state.notice || state.query !== ''
      const untouched = !hasNews && state.values === BLANK_VALUES
      if (!keep || !untouched || state.cardsPaused || found.link.linkedCustomerId)
        return renderPage(found, state)
      const { before, after, headers } = await keepPage(found, state)
      return { html: Buffer.concat([before, Buffer.from(state.attempt), after]), headers }
    },

    /** The untouched form of a link that can be paid, where it is kept: at once, for anyone. */
    findKeptForm(found: LinkWithCompany, t: CheckoutTexts, now: Date) {
      const page = pages.find(found, t)
      return page && page.endsAtMs > now.getTime() ? page : undefined
    },
  }

  async function keepPage(found: LinkWithCompany, state: FormState) {
    const known = pages.find(found, state.t)
    if (known) return known
    const { html, headers, isWhole } = await renderPage(found, { ...state, attempt: mark })
    const at = html.indexOf(mark)
    const [before, after] = [html.subarray(0, at), html.subarray(at + mark.length)]
    const { expiresAt } = found.link
    const endsAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
    const page: KeptPage = { before, after, headers, endsAtMs }
    if (isWhole) pages.keep(found, state.t, page)
    return page
  }

  /** Not whole: a method cannot be taken for now. */
  async function renderPage(found: LinkWithCompany, state: FormState) {
    const { cardEntry, without } = await resolveCards(found, state)
    const page = buildLinkViewModel(needs, found, cardEntry, {
      ...state,
      notice: state.notice ?? without,
    })
    const policy = buildContentPolicy({
      style: page.merchant.brandStyle,
      pictures: listPictures(page),
      ...(cardEntry && { origins: cardEntry.form }),
    })
    const headers: PageHeaders = {
      ...buildLanguageHeaders(state.t),
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
    }
    const html = Buffer.from(renderView('checkout/link/page', page))
    return { html, headers, isWhole: !without }
  }

  /** How payers type a card, or what to say instead. Where there is nothing but cards a pause leaves them. */
  async function resolveCards({ link, company }: LinkWithCompany, { cardsPaused, t }: FormState) {
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
}

function createPageCache() {
  const cached = new WeakMap<LinkWithCompany, KeptPages>()
  return {
    find: (found: LinkWithCompany, { locale }: CheckoutTexts) => cached.get(found)?.[locale],
    keep(found: LinkWithCompany, { locale }: CheckoutTexts, page: KeptPage) {
      cached.set(found, { ...cached.get(found), [locale]: page })
    },
  }
}

function buildNotice(tone: NonNullable<FormNotice>['tone'], text: string): FormNotice {
  return { tone, text }
}
