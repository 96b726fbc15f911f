// What an API key does to an endpoint: Registro keeps all of it, as of a person (dashboard/webhooks/), and the owners
// are told where news go from now on, and that a secret is another.
import type { FastifyRequest } from 'fastify'
import { findApiKey } from '../../api/api-key.ts'
import { recordAudit } from '../../companies/audit.ts'
import { actorTexts } from '../../companies/texts.ts'
import type { Database } from '../../database/connect.ts'
import { HOUR_MS } from '../../database/instant.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { webhookTexts } from '../texts.ts'
import type { EndpointRow } from './endpoint.ts'
import { stripUrlQuery } from './serialize.ts'

/** Programs make and move them all day where nobody pays. */
const TEST_NOTICE_LIMIT = { max: 1, windowMs: HOUR_MS }

export type AuditNeeds = {
  db: Database
  limiter: Limiter
  mail?: Outbox | null
  now: () => Date
}

/** Owners are told, too. */
export async function recordEndpointNotice(
  { mail, ...needs }: AuditNeeds,
  request: FastifyRequest,
  action: 'endpoint_created' | 'endpoint_changed' | 'secret_rotated',
  endpoint: EndpointRow,
  details: Record<string, string> = {},
) {
  const { id: companyId, testMode } = request.company
  const entry = await buildEntry(needs, request, endpoint)
  const isTold = testMode && (await isToldThisHour(needs.limiter, companyId))
  const told = isTold ? null : mail
  await recordSecurityChange(needs.db, told, { ...entry, action, details, testMode })
}

export async function recordEndpointAct(
  needs: Pick<AuditNeeds, 'db' | 'now'>,
  request: FastifyRequest,
  action: 'endpoint_changed' | 'endpoint_removed' | 'test_event_sent',
  endpoint: EndpointRow,
  details: Record<string, string> = {},
) {
  const entry = await buildEntry(needs, request, endpoint)
  await recordAudit(needs.db, { ...entry, action, details })
}

/** `sent`: the headers that came with their values. Nothing where all is as it was. */
export async function recordEndpointChange(
  needs: AuditNeeds,
  request: FastifyRequest,
  { before, after, sent = [] }: { before: EndpointRow; after: EndpointRow; sent?: string[] },
) {
  const details = describeChange(before, after, sent)
  if (Object.keys(details).length === 0) return
  const record = details.url ? recordEndpointNotice : recordEndpointAct
  await record(needs, request, 'endpoint_changed', after, details)
}

async function isToldThisHour(limiter: Limiter, companyId: string) {
  const { exceeded } = await limiter.countHit(`endpoint-notice:${companyId}`, TEST_NOTICE_LIMIT)
  return exceeded
}

async function buildEntry(
  { db, now }: Pick<AuditNeeds, 'db' | 'now'>,
  { company, apiKeyId, ip: address, resourceId }: FastifyRequest,
  { id, url }: EndpointRow,
) {
  const key = await findApiKey(db, company.id, apiKeyId)
  const by = { companyId: company.id, actor: actorTexts.apiKey(key?.name ?? ''), address }
  // A DELETE has none; nothing is carried out twice for it.
  const own = resourceId ? { id: resourceId } : {}
  return { ...own, ...by, subjectId: id, subject: stripUrlQuery(url), now: now() }
}

/** Of headers the names alone, and of an address not its query: values and queries may be secrets. */
function describeChange(before: EndpointRow, after: EndpointRow, sent: string[]) {
  const { moved, events, headers, headerValues } = webhookTexts.changes
  const isDisabled = after.disabledAt !== null
  return {
    ...(before.url !== after.url && {
      url: moved(stripUrlQuery(before.url), stripUrlQuery(after.url)),
    }),
    ...(isOther(before.events.toSorted(), after.events.toSorted()) && {
      events: events(before.events, after.events),
    }),
    ...(isOther(before.headerNames, after.headerNames) && {
      headers: headers(before.headerNames, after.headerNames),
    }),
    ...(sent.length > 0 && { headerValues: headerValues(sent) }),
    ...((before.disabledAt !== null) !== isDisabled && {
      change: isDisabled ? 'disabled' : 'enabled',
    }),
  }
}

function isOther(before: string[], after: string[]) {
  return before.join() !== after.join()
}
