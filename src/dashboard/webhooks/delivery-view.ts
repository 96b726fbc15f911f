// Deliveries as their pages show them.

import { formatDay, formatFullTime } from '../../format.ts'
import type { findDelivery, ListedDelivery } from '../../webhooks/deliveries/history.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/endpoint.ts'
import { deliveryPagePath } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toTimeView } from '../layout/values/time.ts'
import { describeOutcome, endpointPath, formatEndpointName } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const words = webhookPageTexts
/** The last attempts; a delivery may have been resent many times. */
const MAX_ATTEMPTS = 50

type DetailedDelivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>
type LoggedAttempt = DetailedDelivery['attemptLog'][number]

type DeliveryFacts = Omit<ListedDelivery, 'testMode'>

export function toDeliveryRow(delivery: DeliveryFacts, now: Date) {
  const { id, eventType, url, outcome, statusCode, createdAt } = delivery
  const isFailing = outcome !== null && outcome !== 'delivered'
  return {
    ...{ id, href: deliveryPagePath(id) },
    event: words.events[eventType][0],
    type: eventType,
    endpointName: formatEndpointName(url),
    status: toDeliveryBadge(delivery),
    reason: outcome && isFailing ? describeOutcome(outcome, statusCode).text : null,
    attempts: delivery.attempts,
    created: toTimeView(createdAt, now),
  }
}

export function toDeliveryDetails(delivery: DetailedDelivery, now: Date) {
  const { id, eventId, endpointId, url, dueAt, deliveredAt, createdAt } = delivery
  const isUnderWay = isLeased(delivery, now)
  const isWaiting = delivery.endpointDisabledAt !== null
  const [last] = delivery.attemptLog.slice(-1)
  return {
    ...toDeliveryRow(delivery, now),
    ...{ id, eventId, path: deliveryPagePath(id) },
    status: isUnderWay ? IN_PROGRESS_BADGE : toDeliveryBadge(delivery),
    endpoint: { url: stripUrlQuery(url), href: endpointPath(endpointId) },
    created: toTimeView(createdAt),
    delivered: deliveredAt && toTimeView(deliveredAt),
    next: dueAt && !isUnderWay && !isWaiting ? toTimeView(dueAt) : null,
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
  const { number, startedAt, durationMs, outcome, statusCode, answer } = attempt
  const reason = describeOutcome(outcome, statusCode)
  const code = statusCode === null ? null : words.http(statusCode)
  const isSaidByStatus = code !== null && (outcome === 'delivered' || outcome === 'http_error')
  return {
    number,
    moment: {
      ...toTimeView(startedAt),
      text: `${formatDay(startedAt)} ${formatFullTime(startedAt)}`,
    },
    duration: words.duration(durationMs),
    tone: outcome === 'delivered' ? 'good' : 'bad',
    headline: isSaidByStatus ? code : reason.text,
    ...reason,
    code,
    answer,
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
