// Deliveries as their pages show them.

import { formatDay, formatFullTime } from '../../format.ts'
import type { findDelivery, ListedDelivery } from '../../webhooks/deliveries/history.ts'
import type { Badge } from '../layout/badge.ts'
import { momentOf } from '../layout/page.ts'
import { agoOf } from '../layout/relative-time.ts'
import { addressOf, DELIVERIES, endpointPath, nameOf, reasonOf } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const words = webhookPageTexts
/** The last ones; somebody may have sent it again and again. */
const MAX_ATTEMPTS = 50

type Detailed = NonNullable<Awaited<ReturnType<typeof findDelivery>>>
type Attempt = Detailed['attemptLog'][number]

export function deliveryRow(delivery: ListedDelivery, now: Date) {
  const { id, eventType, url, outcome, statusCode, createdAt } = delivery
  const isFailing = outcome !== null && outcome !== 'delivered'
  return {
    href: `${DELIVERIES}/${id}`,
    event: words.events[eventType][0],
    type: eventType,
    endpointName: nameOf(url),
    status: badgeOf(delivery),
    reason: outcome && isFailing ? reasonOf(outcome, statusCode).text : null,
    attempts: delivery.attempts,
    created: agoOf(createdAt, now),
  }
}

export function deliveryFacts(delivery: Detailed, now: Date) {
  const { id, eventId, endpointId, url, dueAt, deliveredAt, createdAt } = delivery
  const isUnderWay = isHeld(delivery, now)
  const isWaiting = delivery.endpointDisabledAt !== null
  const [last] = delivery.attemptLog.slice(-1)
  return {
    ...deliveryRow(delivery, now),
    ...{ id, eventId, path: `${DELIVERIES}/${id}` },
    status: isUnderWay ? UNDER_WAY : badgeOf(delivery),
    endpoint: { url: addressOf(url), href: endpointPath(endpointId) },
    created: momentOf(createdAt),
    delivered: deliveredAt && momentOf(deliveredAt),
    next: dueAt && !isUnderWay && !isWaiting ? momentOf(dueAt) : null,
    isOnItsWay: isUnderWay || isDue(delivery, now),
    isWaiting,
    last: last ? attemptRow(delivery, last) : null,
    body: JSON.stringify(JSON.parse(delivery.body), null, 2),
    attemptLog: delivery.attemptLog
      .slice(-MAX_ATTEMPTS)
      .reverse()
      .map((attempt) => attemptRow(delivery, attempt)),
  }
}

const UNDER_WAY: Badge = { tone: 'waiting', text: words.state.underWay }

function badgeOf({ status, outcome }: ListedDelivery): Badge {
  const { state } = words
  if (status === 'delivered') return { tone: 'good', text: state.delivered }
  if (status === 'failed') return { tone: 'bad', text: state.givenUp }
  const isFailing = outcome !== null && outcome !== 'delivered'
  return { tone: 'waiting', text: isFailing ? state.retrying : state.queued }
}

function isHeld({ leasedUntil }: Detailed, now: Date) {
  return leasedUntil !== null && leasedUntil > now.toISOString()
}

function isDue({ dueAt, endpointDisabledAt }: Detailed, now: Date) {
  return dueAt !== null && endpointDisabledAt === null && dueAt <= now.toISOString()
}

function attemptRow(delivery: Detailed, attempt: Attempt) {
  const { number, startedAt, durationMs, outcome, statusCode, answer } = attempt
  const reason = reasonOf(outcome, statusCode)
  const code = statusCode === null ? null : words.http(statusCode)
  const isSaidByStatus = code !== null && (outcome === 'delivered' || outcome === 'http_error')
  return {
    number,
    moment: {
      ...momentOf(startedAt),
      text: `${formatDay(startedAt)} ${formatFullTime(startedAt)}`,
    },
    duration: words.duration(durationMs),
    tone: outcome === 'delivered' ? 'good' : 'bad',
    headline: isSaidByStatus ? code : reason.text,
    ...reason,
    code,
    answer,
    request: requestOf(delivery, attempt),
  }
}

/** Its head as it went; the signature is made anew each time and kept nowhere. */
function requestOf(delivery: Detailed, { url, startedAt }: Attempt) {
  return [
    `POST ${url ?? delivery.url}`,
    'content-type: application/json',
    'user-agent: Vintem',
    `webhook-id: ${delivery.eventId}`,
    `webhook-timestamp: ${Math.floor(Date.parse(startedAt) / 1000)}`,
    `webhook-signature: (${words.omitted})`,
  ].join('\n')
}
