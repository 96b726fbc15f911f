// `/painel/integracoes/entregas/:id`: one delivery with its attempts, and how to resend it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { findListedTransaction } from '../../transactions/list/listed.ts'
import { findDelivery } from '../../webhooks/deliveries/history.ts'
import { resend } from '../../webhooks/deliveries/resend.ts'
import { webhookTexts } from '../../webhooks/texts.ts'
import { catchConflict } from '../layout/forms/form.ts'
import { type ById, type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { deliveryPagePath, paymentPagePath } from '../layout/paths.ts'
import { toDeliveryDetails } from './delivery-view.ts'

const INTEGRATIONS = requireRight('integrations')

const REFRESH_S = '3'

export async function deliveryPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get<ById>('/integracoes/entregas/:id', INTEGRATIONS, (request, reply) =>
    showDelivery(request, reply),
  )

  app.post<ById>('/integracoes/entregas/:id/reenviar', INTEGRATIONS, async (request, reply) => {
    const { id, url, eventType } = await findRequestedDelivery(request)
    const now = needs.now()
    const filter = { companyId: request.visitor.company.id, deliveryId: id }
    const resent = await catchConflict('actions', resend(db, filter, now))
    if (resent.kind === 'invalid') return showDelivery(request, reply, resent.errors)
    const entry = { subjectId: id, subject: `${eventType} → ${new URL(url).host}`, now }
    await recordAudit(db, { ...getAuditActor(request), action: 'delivery_resent', ...entry })
    return reply.redirect(`${deliveryPagePath(id)}?feito=entrega-reenviada`, 303)
  })

  async function showDelivery(
    request: FastifyRequest<ById>,
    reply: FastifyReply,
    errors: FormError[] = [],
  ) {
    const delivery = await findRequestedDelivery(request)
    const facts = toDeliveryDetails(delivery, needs.now())
    // After a resend the page refreshes until there is a result, without JavaScript too.
    const { feito } = toRecord(request.query)
    if (feito && facts.isOnItsWay) reply.header('refresh', REFRESH_S)
    return show(request, reply, 'dashboard/webhooks/delivery', {
      ...{ title: facts.event, section: 'integracoes', errors },
      delivery: facts,
      transaction: await findTransactionLink(request, delivery.body),
    })
  }

  async function findRequestedDelivery({ visitor, params }: FastifyRequest<ById>) {
    const delivery = await findDelivery(db, params.id, visitor.company.id)
    if (!delivery) throw notFoundError(webhookTexts.deliveryNotFound)
    return delivery
  }

  /** Finds the payment of the event; a test event has none. */
  async function findTransactionLink({ visitor }: FastifyRequest, body: string) {
    const { data }: { data: { transaction?: { id: string } } } = JSON.parse(body)
    const id = data.transaction?.id
    const found = id && (await findListedTransaction(db, visitor.company.id, id))
    return found ? { id, href: paymentPagePath(id) } : null
  }
}
