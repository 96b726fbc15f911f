// `/painel/integracoes/entregas/:id`: one delivery with each of its attempts, and sending it again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { findListedTransaction } from '../../transactions/list.ts'
import { findDelivery } from '../../webhooks/deliveries/history.ts'
import { resendDelivery } from '../../webhooks/deliveries/resend.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { toDeliveryDetails } from './delivery-view.ts'
import { DELIVERIES_PATH } from './endpoint-view.ts'

type DeliveryById = { Params: { id: string } }

const REFRESH_S = '3'
const OWNERS_ONLY = { config: { owners: true } }

export async function deliveryPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get<DeliveryById>('/integracoes/entregas/:id', OWNERS_ONLY, (request, reply) =>
    showOne(request, reply),
  )

  app.post<DeliveryById>(
    '/integracoes/entregas/:id/reenviar',
    OWNERS_ONLY,
    async (request, reply) => {
      const { id, url, eventType } = await findOwn(request)
      const now = needs.now()
      try {
        await resendDelivery(db, id, now, request.visitor.company.id)
      } catch (error) {
        if (!(error instanceof AppError) || error.statusCode !== 409) throw error
        return showOne(request, reply, [{ field: 'actions', message: error.message }])
      }
      const entry = { subjectId: id, subject: `${eventType} → ${new URL(url).host}`, now }
      await recordAudit(db, { ...getAuditActor(request), action: 'delivery_resent', ...entry })
      return reply.redirect(`${DELIVERIES_PATH}/${id}?feito=entrega-reenviada`, 303)
    },
  )

  async function showOne(
    request: FastifyRequest<DeliveryById>,
    reply: FastifyReply,
    errors: FormError[] = [],
  ) {
    const delivery = await findOwn(request)
    const facts = toDeliveryDetails(delivery, needs.now())
    // Whoever sent it again sees what comes of it, without JavaScript too.
    const { feito } = toRecord(request.query)
    if (feito === 'entrega-reenviada' && facts.isOnItsWay) reply.header('refresh', REFRESH_S)
    return show(request, reply, 'dashboard/webhooks/delivery', {
      ...{ title: facts.event, section: 'integracoes', errors },
      delivery: facts,
      transaction: await transactionOf(request, delivery.body),
    })
  }

  async function findOwn({ visitor, params }: FastifyRequest<DeliveryById>) {
    const delivery = await findDelivery(db, params.id, visitor.company.id)
    if (!delivery) throw notFound()
    return delivery
  }

  /** The payment that it tells of; a test event tells of none. */
  async function transactionOf({ visitor }: FastifyRequest, body: string) {
    const { data } = JSON.parse(body) as { data: { transaction?: { id: string } } }
    const id = data.transaction?.id
    const found = id && (await findListedTransaction(db, visitor.company.id, id))
    return found ? { id, href: `/painel/transacoes/${id}` } : null
  }
}
