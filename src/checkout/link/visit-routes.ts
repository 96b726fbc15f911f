// A payer who starts to fill in the form says so, once; the page does it by itself.
import type { FastifyInstance } from 'fastify'
import { MINUTE_MS } from '../../database/instant.ts'
import { buildNetworkLimits, countHits } from '../../http/limiter.ts'
import { getLinkStatus } from '../../payment-links/payment-link.ts'
import type { CheckoutNeeds } from '../needs.ts'

/** One network has many payers, and whoever counts up a link's figures alone is not heard. */
const BEGUN_LIMIT = { max: 30, windowMs: MINUTE_MS }

export async function visitRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.post<{ Params: { slug: string } }>('/:slug/begun', async ({ params, ip }, reply) => {
    const limits = buildNetworkLimits('begun', ip, BEGUN_LIMIT)
    const { exceeded } = await countHits(needs.limiter, limits)
    const found = exceeded ? undefined : await needs.findLink(params.slug)
    if (found && getLinkStatus(found.link, needs.now()) === 'active')
      needs.visits.countBegun(found.link.id)
    return reply.code(204).send()
  })
}
