// Audits changes of endpoints. The audit log gets all of them; the owners get an e-mail when webhooks are sent to
// another address, and when a secret was seen or changed.
import type { FastifyRequest } from 'fastify'
import { findApiKey } from '../../api/api-key.ts'
import { type NewAuditEntry, recordAudit } from '../../companies/audit.ts'
import { actorTexts } from '../../companies/texts.ts'
import type { Database } from '../../database/connect.ts'
import { HOUR_MS } from '../../database/instant.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { ApiNeeds } from '../../http/zod.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { webhookTexts } from '../texts.ts'
import { type EndpointRow, stripUrlQuery } from './endpoint.ts'

/** Without real payments, programs may create and move endpoints all day. */
const TEST_NOTICE_LIMIT = { max: 1, windowMs: HOUR_MS }

type Actor = Omit<NewAuditEntry, 'action' | 'subjectId' | 'subject' | 'details' | 'now'>

type SecurityAction = 'endpoint_created' | 'endpoint_changed' | 'secret_rotated' | 'secret_revealed'

export type EndpointAct = {
  action: SecurityAction | 'endpoint_removed' | 'test_event_sent'
  endpoint: Pick<EndpointRow, 'id' | 'url'>
  details?: Record<string, string>
  testMode: boolean
  now: Date
}

/** `by`: a person, an API key or the operator. */
export async function recordEndpointAct(
  { db, mail }: { db: Database; mail?: Outbox | null | undefined },
  by: Actor,
  { action, endpoint, details = {}, testMode, now }: EndpointAct,
) {
  const subject = stripUrlQuery(endpoint.url)
  const entry = { ...by, subjectId: endpoint.id, subject, details, now }
  if (!isSecurityAction(action, details)) return recordAudit(db, { ...entry, action })
  return recordSecurityChange(db, mail, { ...entry, action, testMode })
}

function isSecurityAction(
  action: EndpointAct['action'],
  details: Record<string, string> = {},
): action is SecurityAction {
  if (action === 'endpoint_changed') return details.url !== undefined
  return action !== 'endpoint_removed' && action !== 'test_event_sent'
}

export type WebhookRouteNeeds = ApiNeeds & {
  mail?: Outbox | null
  /** Allows webhooks at http and private addresses; off by default. */
  allowPrivate?: boolean
}

export async function recordApiEndpointAct(
  { db, limiter, mail, now }: WebhookRouteNeeds,
  request: FastifyRequest,
  act: Pick<EndpointAct, 'action' | 'endpoint' | 'details'>,
) {
  const { company, apiKeyId, ip: address, resourceId: id } = request
  const { id: companyId, testMode } = company
  const key = await findApiKey(db, companyId, apiKeyId)
  // A DELETE has no id of its own, and cannot be carried out twice.
  const by = { ...(id && { id }), companyId, actor: actorTexts.apiKey(key?.name ?? ''), address }
  const isFrequent = testMode && isSecurityAction(act.action, act.details)
  const to = isFrequent && (await isNoticeLimitReached(limiter, companyId)) ? { db } : { db, mail }
  await recordEndpointAct(to, by, { ...act, testMode, now: now() })
}

/** Names only headers, and an address without its query, since values and queries may be secrets. */
export function describeEndpointChange(before: EndpointRow, after: EndpointRow, sent: string[]) {
  const { moved, events, headers, headerValues } = webhookTexts.changes
  const isDisabled = after.disabledAt !== null
  const details: Record<string, string> = {}
  if (before.url !== after.url) {
    details.url = moved(stripUrlQuery(before.url), stripUrlQuery(after.url))
  }
  if (isOther(before.events.toSorted(), after.events.toSorted())) {
    details.events = events(before.events, after.events)
  }
  if (isOther(before.headerNames, after.headerNames)) {
    details.headers = headers(before.headerNames, after.headerNames)
  }
  if (sent.length > 0) details.headerValues = headerValues(sent)
  if ((before.disabledAt !== null) !== isDisabled) {
    details.change = isDisabled ? 'disabled' : 'enabled'
  }
  return details
}

async function isNoticeLimitReached(limiter: Limiter, companyId: string) {
  const { exceeded } = await limiter.countHit(`endpoint-notice:${companyId}`, TEST_NOTICE_LIMIT)
  return exceeded
}

function isOther(before: string[], after: string[]) {
  return before.join() !== after.join()
}
