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

type Kept = { before: Buffer; after: Buffer; policy: string }

/**
 * Renders a link's page. From the second payer on, the untouched form is kept for as long as its link is
 * kept in memory, as the bytes around the attempt token: only that differs between payers. A link that is
 * meant for a customer is rendered each time, since the customer may change without it.
 */
export function pageRenderer(app: FastifyInstance, needs: PageNeeds) {
  const mark = newToken()
  const kept = new WeakMap<LinkWithCompany, Kept | 'seen once'>()

  return async (found: LinkWithCompany, state: FormState) => {
    const untouched = state.errors.length === 0 && !state.notice && state.values === BLANK
    if (!untouched || found.link.linkedCustomerId) return draw(found, state)
    const known = kept.get(found)
    if (!known) {
      kept.set(found, 'seen once')
      return draw(found, state)
    }
    const { before, after, policy } = known === 'seen once' ? await keep(found, state) : known
    return { html: Buffer.concat([before, Buffer.from(state.attempt), after]), policy }
  }

  async function keep(found: LinkWithCompany, state: FormState) {
    const { html, policy } = await draw(found, { ...state, attempt: mark })
    const at = html.indexOf(mark)
    const [before, after] = [html.subarray(0, at), html.subarray(at + mark.length)]
    const fresh = { before, after, policy }
    kept.set(found, fresh)
    return fresh
  }

  async function draw(found: LinkWithCompany, state: FormState) {
    const page = linkPage(needs, found, state)
    const policy = contentPolicy({ style: page.merchant.brandStyle })
    return { html: Buffer.from(await app.view('checkout/link', page)), policy }
  }
}
