// `/painel/integracoes/entregas/:id`: one delivery with its attempts, and how to resend it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import type { Badge } from '../../http/view-functions.ts'
import { findListedTransaction } from '../../transactions/list/listed.ts'
import { findDelivery, type ListedDelivery } from '../../webhooks/deliveries/history.ts'
import { resendDeliveries } from '../../webhooks/deliveries/resend.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/endpoint.ts'
import { webhookTexts } from '../../webhooks/texts.ts'
import { catchConflict } from '../layout/form.ts'
import { type ById, type DashboardNeeds, recordAct, requireRight } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { deliveryPagePath } from '../layout/paths.ts'
import { describeOutcome, formatEndpointName } from './endpoint-view.ts'
import { webhookPageTexts as words } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')

const REFRESH_S = '3'

export async function deliveryPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs

  app.get<ById>('/integracoes/entregas/:id', INTEGRATIONS, (request, reply) =>
    showDelivery(request, reply),
  )

  app.post<ById>('/integracoes/entregas/:id/reenviar', INTEGRATIONS, async (request, reply) => {
    const { id, url, eventType } = await findRequestedDelivery(db, request)
    const filter = { companyId: request.visitor.company.id, deliveryId: id }
    const resent = await catchConflict('actions', resendDeliveries(db, filter, needs.now()))
    if (resent.kind === 'invalid') return showDelivery(request, reply, resent.errors)
    const subject = `${eventType} → ${new URL(url).host}`
    await recordAct(needs, request, { action: 'delivery_resent', subjectId: id, subject })
    return reply.redirect(`${deliveryPagePath(id)}?feito=entrega-reenviada`, 303)
  })

  async function showDelivery(
    request: FastifyRequest<ById>,
    reply: FastifyReply,
    errors: FormError[] = [],
  ) {
    const page = await loadDelivery(needs, request)
    // After a resend the page refreshes until there is a result, without JavaScript too.
    const { feito } = toRecord(request.query)
    if (feito && page.delivery.isOnItsWay) reply.header('refresh', REFRESH_S)
    return needs.show(request, reply, 'dashboard/webhooks/delivery', { ...page, errors })
  }
}

export async function loadDelivery({ db, now }: DashboardNeeds, request: FastifyRequest<ById>) {
  const delivery = await findRequestedDelivery(db, request)
  const facts = toDeliveryDetails(delivery, now())
  return {
    title: facts.event,
    delivery: facts,
    paymentId: await findPaymentId(db, request.visitor.company.id, delivery.body),
  }
}

async function findRequestedDelivery(db: Database, { visitor, params }: FastifyRequest<ById>) {
  const delivery = await findDelivery(db, params.id, visitor.company.id)
  if (!delivery) throw notFoundError(webhookTexts.deliveryNotFound)
  return delivery
}

/** Finds the payment of the event; a test event has none. */
async function findPaymentId(db: Database, companyId: string, body: string) {
  const { data }: { data: { transaction?: { id: string } } } = JSON.parse(body)
  const id = data.transaction?.id
  const found = id && (await findListedTransaction(db, companyId, id))
  return found ? id : null
}

/** The last attempts; a delivery may have been resent many times. */
const MAX_ATTEMPTS = 50

type DetailedDelivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>
type LoggedAttempt = DetailedDelivery['attemptLog'][number]

type DeliveryFacts = Omit<ListedDelivery, 'testMode'>

export function toDeliveryRow<Row extends DeliveryFacts>(delivery: Row) {
  const { eventType, url, outcome, statusCode } = delivery
  const isFailing = outcome !== null && outcome !== 'delivered'
  return {
    ...delivery,
    event: words.events[eventType][0],
    endpointName: formatEndpointName(url),
    badge: toDeliveryBadge(delivery),
    reason: isFailing ? describeOutcome(outcome, statusCode).text : null,
  }
}

function toDeliveryDetails(delivery: DetailedDelivery, now: Date) {
  const isUnderWay = isLeased(delivery, now)
  const isWaiting = delivery.endpointDisabledAt !== null
  const [last] = delivery.attemptLog.slice(-1)
  return {
    ...toDeliveryRow(delivery),
    ...(isUnderWay && { badge: IN_PROGRESS_BADGE }),
    endpointUrl: stripUrlQuery(delivery.url),
    nextAt: isUnderWay || isWaiting ? null : delivery.dueAt,
    isOnItsWay: isUnderWay || isDeliveryDue(delivery, now),
    isWaiting,
    last: last ? toAttemptRow(delivery, last) : null,
    body: JSON.stringify(JSON.parse(delivery.body), null, 2),
    attemptLog: delivery.attemptLog
      .slice(-MAX_ATTEMPTS)
      .reverse()
      .map((attempt) => toAttemptRow(delivery, attempt)),
  }
}

const IN_PROGRESS_BADGE: Badge = { tone: 'waiting', text: words.state.underWay }

function toDeliveryBadge({ status, outcome }: DeliveryFacts): Badge {
  const { state } = words
  if (status === 'delivered') return { tone: 'good', text: state.delivered }
  if (status === 'failed') return { tone: 'bad', text: state.givenUp }
  const isFailing = outcome !== null && outcome !== 'delivered'
  return { tone: 'waiting', text: isFailing ? state.retrying : state.queued }
}

function isLeased({ leasedUntil }: DetailedDelivery, now: Date) {
  return leasedUntil !== null && leasedUntil > now.toISOString()
}

function isDeliveryDue({ dueAt, endpointDisabledAt }: DetailedDelivery, now: Date) {
  return dueAt !== null && endpointDisabledAt === null && dueAt <= now.toISOString()
}

function toAttemptRow(delivery: DetailedDelivery, attempt: LoggedAttempt) {
  const { outcome, statusCode } = attempt
  const reason = describeOutcome(outcome, statusCode)
  const code = statusCode === null ? null : words.http(statusCode)
  const isSaidByStatus = code !== null && (outcome === 'delivered' || outcome === 'http_error')
  return {
    ...attempt,
    ...reason,
    tone: outcome === 'delivered' ? 'good' : 'bad',
    headline: isSaidByStatus ? code : reason.text,
    code,
    request: formatAttemptRequest(delivery, attempt),
  }
}

/** The headers as they were sent; the signature is not stored. */
function formatAttemptRequest(delivery: DetailedDelivery, { url, startedAt }: LoggedAttempt) {
  return [
    `POST ${url ?? delivery.url}`,
    'content-type: application/json',
    'user-agent: Vintem',
    `webhook-id: ${delivery.eventId}`,
    `webhook-timestamp: ${Math.floor(Date.parse(startedAt) / 1000)}`,
    `webhook-signature: (${words.omitted})`,
  ].join('\n')
}
