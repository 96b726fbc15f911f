// Renders the page of the form, with the security policy that its card entry needs.

import type { FastifyBaseLogger } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { Providers } from '../../providers/provider.ts'
import { resolveCardEntry } from '../card-entry.ts'
import type { CheckoutViewNeeds } from '../needs.ts'
import { buildLinkViewModel, type FormNotice, type FormState } from './page.ts'

type FormNeeds = CheckoutViewNeeds & { providers: Providers; log: FastifyBaseLogger }

export async function buildLinkForm(needs: FormNeeds, found: LinkWithCompany, state: FormState) {
  const { cardEntry, without } = await resolveCards(needs, found, state)
  const notice = state.notice ?? without
  const page = buildLinkViewModel(needs, found, cardEntry, { ...state, notice })
  return { page, policy: cardEntry ? { origins: cardEntry.form } : {} }
}

/** Returns how payers enter a card, or a notice. A link with only cards keeps them during a pause. */
async function resolveCards(
  needs: FormNeeds,
  { link, company }: LinkWithCompany,
  { cardsPaused, t }: FormState,
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
