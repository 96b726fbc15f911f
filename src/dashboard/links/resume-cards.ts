// `/painel/links/:id/liberar-cartoes`: ends the pause of a link's cards before its time.
import type { FastifyInstance } from 'fastify'
import { resumeCards } from '../../checkout/payment/card-testing.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { linkPath } from '../layout/paths.ts'
import { type ById, findOwnLink, recordOnLink } from './find.ts'

export async function linkCardsPages(app: FastifyInstance, needs: DashboardNeeds) {
  const owners = { config: { owners: true } }

  app.post<ById>('/links/:id/liberar-cartoes', owners, async (request, reply) => {
    const link = await findOwnLink(needs.db, request)
    const resumed = await resumeCards(needs.db, link, needs.now())
    if (resumed) await recordOnLink(needs, request, 'cards_resumed', link)
    return reply.redirect(`${linkPath(link.id)}?feito=cartoes-liberados`, 303)
  })
}
