// The form's page, rendered.
import type { FastifyInstance } from 'fastify'
import { newToken } from '../database/id.ts'
import { contentPolicy } from '../http/pages.ts'
import type { LinkWithCompany } from '../payment-links/payment-link.ts'
import { type FormState, linkPage, type PageNeeds } from './link-page.ts'
import type { LinkPage } from './pages.ts'

/** A form that nobody has touched. */
export const BLANK: LinkPage['values'] = {
  method: 'pix',
  name: '',
  taxId: '',
  email: '',
  phone: '',
  installments: 1,
}

/**
 * Renders a link's page. The untouched form is rendered once for each link that is kept in memory: only
 * its attempt token differs from one payer to the next.
 */
export function pageRenderer(app: FastifyInstance, needs: PageNeeds) {
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
