// Webhook endpoints as their pages show them: their events, their health, and what is wrong.
import { type DeliveryOutcome, EVENT_TYPES } from '../../database/enums.ts'
import type { Badge } from '../../http/view-functions.ts'
import type { EndpointRow } from '../../webhooks/endpoints/endpoint.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/endpoint.ts'
import type { EndpointHealth } from '../../webhooks/endpoints/health.ts'
import { endpointPagePath } from '../layout/paths.ts'
import { webhookPageTexts } from './texts.ts'

const words = webhookPageTexts

export function toEndpointRow(row: EndpointRow, health: EndpointHealth | undefined) {
  return {
    ...row,
    name: formatEndpointName(row.url),
    href: endpointPagePath(row.id),
    eventNames: row.events.map((type) => words.events[type][0]),
    badge: toHealthBadge(row, health),
    note: formatHealthNote(row, health),
  }
}

export function toEndpointDetails(row: EndpointRow, health: EndpointHealth | undefined, now: Date) {
  const { rotatingUntil } = row
  const isRotating = rotatingUntil !== null && rotatingUntil > now.toISOString()
  return {
    ...toEndpointRow(row, health),
    rotatingUntil: isRotating ? rotatingUntil : null,
    troubles: (health?.troubles ?? []).map((trouble) => ({
      ...trouble,
      ...describeOutcome(trouble.outcome, trouble.statusCode),
    })),
  }
}

function toHealthBadge({ disabledAt }: EndpointRow, health: EndpointHealth | undefined): Badge {
  if (disabledAt) return { tone: 'neutral', text: words.health.disabled }
  if (!health) return { tone: 'neutral', text: words.health.none }
  return health.failing > 0
    ? { tone: 'bad', text: words.health.bad }
    : { tone: 'good', text: words.health.good }
}

function formatHealthNote({ disabledAt }: EndpointRow, health: EndpointHealth | undefined) {
  if (disabledAt) return words.health.waiting
  if (!health) return words.health.noneYet
  const { attempted, failing, isRecent } = health
  if (!isRecent) return failing > 0 ? words.health.lastFailed : words.health.quiet
  return failing > 0 ? words.health.failing(failing, attempted) : words.health.delivered(attempted)
}

/** Describes the outcome of an attempt in a sentence, with advice when it failed. */
export function describeOutcome(outcome: DeliveryOutcome, statusCode: number | null) {
  if (outcome === 'delivered') return { text: words.delivered(statusCode ?? 200), advice: null }
  if (outcome === 'http_error' && statusCode !== null) {
    return { text: words.refused(statusCode), advice: getStatusAdvice(statusCode) }
  }
  const [text, advice] = words.reasons[outcome === 'http_error' ? 'broken' : outcome]
  return { text, advice }
}

function getStatusAdvice(status: number) {
  const { statuses } = words
  if (status < 400) return statuses.redirect
  return ADVICE_BY_STATUS[status] ?? (status < 500 ? statuses.refused : statuses.failed)
}

const { denied, missing, tooMany, down } = words.statuses
const ADVICE_BY_STATUS: Record<number, string> = {
  ...{ 401: denied, 403: denied, 404: missing, 405: missing, 429: tooMany },
  ...{ 502: down, 503: down, 504: down },
}

export const EVENT_TYPE_OPTIONS = EVENT_TYPES.map((value) => ({
  value,
  text: words.events[value][0],
}))

/** Formats the name of an endpoint: `loja.com.br/webhooks`. */
export function formatEndpointName(url: string) {
  return stripUrlQuery(url).replace(/^https:\/\//, '')
}
