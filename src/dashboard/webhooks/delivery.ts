// `/painel/integracoes/entregas/:id`: one delivery with each of its attempts, and sending it again.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { findListed } from '../../transactions/list.ts'
import { findDelivery, resendDelivery } from '../../webhooks/deliveries/history.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { deliveryFacts } from './delivery-view.ts'
import { DELIVERIES } from './endpoint-view.ts'

type ById = { Params: { id: string } }

const REFRESH_S = '3'
const owners = { config: { owners: true } }

export async function deliveryPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get<ById>('/integracoes/entregas/:id', owners, (request, reply) => showOne(request, reply))

  app.post<ById>('/integracoes/entregas/:id/reenviar', owners, async (request, reply) => {
    const { id, url, eventType } = await findOwn(request)
    const now = needs.now()
    try {
      await resendDelivery(db, id, now, request.visitor.company.id)
    } catch (error) {
      if (!(error instanceof AppError) || error.statusCode !== 409) throw error
      return showOne(request, reply, [{ field: 'actions', message: error.message }])
    }
    const entry = { subjectId: id, subject: `${eventType} → ${new URL(url).host}`, now }
    await recordAudit(db, { ...actorOf(request), action: 'delivery_resent', ...entry })
    return reply.redirect(`${DELIVERIES}/${id}?feito=entrega-reenviada`, 303)
  })

  async function showOne(
    request: FastifyRequest<ById>,
    reply: FastifyReply,
    errors: Problem[] = [],
  ) {
    const delivery = await findOwn(request)
    const facts = deliveryFacts(delivery, needs.now())
    // Whoever sent it again sees what comes of it, without JavaScript too.
    const { feito } = request.query as { feito?: unknown }
    if (feito === 'entrega-reenviada' && facts.isOnItsWay) reply.header('refresh', REFRESH_S)
    return show(request, reply, 'integrations/delivery', {
      ...{ title: facts.event, section: 'integracoes', errors },
      delivery: facts,
      transaction: await transactionOf(request, delivery.body),
    })
  }

  async function findOwn({ visitor, params }: FastifyRequest<ById>) {
    const delivery = await findDelivery(db, params.id, visitor.company.id)
    if (!delivery) throw notFound()
    return delivery
  }

  /** The payment that it tells of; a test event tells of none. */
  async function transactionOf({ visitor }: FastifyRequest, body: string) {
    const { data } = JSON.parse(body) as { data: { transaction?: { id: string } } }
    const id = data.transaction?.id
    const found = id && (await findListed(db, visitor.company.id, id))
    return found ? { id, href: `/painel/transacoes/${id}` } : null
  }
}
