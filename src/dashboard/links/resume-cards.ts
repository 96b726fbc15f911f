// `/painel/links/:id/liberar-cartoes`: ends the pause of a link's cards before its time.
import type { FastifyInstance } from 'fastify'
import { resumeCards } from '../../checkout/payment/card-pause.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { linkPagePath } from '../layout/paths.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'

const RESUME_CARDS = requireRight('resumeCards')

export async function resumeCardsRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.post<ById>('/links/:id/liberar-cartoes', RESUME_CARDS, async (request, reply) => {
    const link = await findRequestedLink(needs.db, request)
    const { kind } = await resumeCards(needs.db, link, needs.now())
    if (kind === 'resumed') await recordLinkAudit(needs, request, 'cards_resumed', link)
    return reply.redirect(`${linkPagePath(link.id)}?feito=cartoes-liberados`, 303)
  })
}
