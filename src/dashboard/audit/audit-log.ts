// `/painel/registro`: who did what, when and from where.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  listAudit,
  PEOPLE_ACTIONS,
} from '../../companies/audit.ts'
import { auditTexts } from '../../companies/texts.ts'
import { isUuid } from '../../database/id.ts'
import { formatInstant } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { PageQuery, paginateRows } from '../../http/pagination.ts'
import { listLinkTitles } from '../../payment-links/change/bulk.ts'
import { listUsers } from '../../users/user.ts'
import { registerPage } from '../layout/form.ts'
import { buildFilterOptions, buildPager, countFilters } from '../layout/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import {
  customerPagePath,
  deliveryPagePath,
  endpointPagePath,
  linkImportPath,
  linkPagePath,
  paymentPagePath,
  personPagePath,
} from '../layout/paths.ts'
import { sectionTitles, versionTexts } from '../layout/texts.ts'
import { auditPageTexts } from './texts.ts'

const AUDIT_LOG_PATH = '/painel/registro'
const AUDIT_PAGE_SIZE = 50
const YEAR_DAYS = 365
/** The most links named on one page of bulk changes; further ones are counted. */
const MAX_NAMED_LINKS = 5_000

/** The page of an entry's subject, by the beginning of its action. */
const SUBJECT_PATHS: [AuditAction | `${string}_`, (id: string) => string][] = [
  ['link_', linkPagePath],
  ['links_imported', linkImportPath],
  ['cards_', linkPagePath],
  ['customer_', customerPagePath],
  ['refund_asked', paymentPagePath],
  ['payment_accepted', paymentPagePath],
  ['payment_matched', paymentPagePath],
  ['endpoint_', endpointPagePath],
  ['secret_', endpointPagePath],
  ['test_event_sent', endpointPagePath],
  ['deliveries_resent', endpointPagePath],
  ['events_resent', endpointPagePath],
  ['delivery_resent', deliveryPagePath],
]

const words = auditPageTexts

const CHANGE_NAMES: Record<string, string> = words.changes

/** Details that are stored for programs; all others are text already. */
const DETAIL_FORMATTERS: Record<string, (value: string) => string> = {
  until: (instant) => words.until(formatInstant(instant)),
  createdFrom: (instant) => words.createdFrom(formatInstant(instant)),
  createdTo: (instant) => words.createdTo(formatInstant(instant)),
  count: (n) => words.count(Number(n)),
  links: (n) => words.links(Number(n)),
  declined: (n) => words.declined(Number(n)),
  pausedUntil: (instant) => words.pausedUntil(formatInstant(instant)),
  tries: (n) => words.tries(Number(n)),
  networks: (networks) => words.networks(networks),
  allowedNetworks: (networks) => words.allowedNetworks(networks),
  newDevice: (device) => words.newDevice(device),
  change: (change) => CHANGE_NAMES[change] ?? change,
}

type AuditFilters = { action: AuditAction | undefined; userId: string | undefined }

export async function auditLogPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(app, needs, '/registro', ['auditLog', 'dashboard/audit/audit-log'], loadAuditLog)
}

export async function loadAuditLog({ db, retention }: DashboardNeeds, request: FastifyRequest) {
  const { companyId } = request.visitor.user
  const filters = readAuditFilters(request)
  const before = readAuditCursor(request)
  const { userId } = filters
  const [entries, people, latest] = await Promise.all([
    listAudit(db, companyId, { ...filters, before, limit: AUDIT_PAGE_SIZE + 1 }),
    listUsers(db, companyId),
    userId ? listAudit(db, companyId, { userId, limit: 1 }) : [],
  ])
  const { data, nextCursor } = paginateRows(entries, AUDIT_PAGE_SIZE)
  const form = { pessoa: filters.userId ?? '', acao: filters.action ?? '' }
  const present = new Set(people.map(({ id }) => id))
  const linkIds = data.flatMap(listLinkIds).slice(0, MAX_NAMED_LINKS)
  const titles = await listLinkTitles(db, { companyId }, linkIds)
  return {
    title: sectionTitles.registro,
    entries: data.map((entry) => toAuditRow(entry, { present, titles })),
    people: buildPeopleOptions(people, latest),
    actions: ACTION_OPTIONS,
    filters: form,
    filterCount: countFilters(form),
    pager: buildPager(request, nextCursor),
    keptYears: Math.floor(retention.auditDays / YEAR_DAYS),
  }
}

const ACTION_OPTIONS = buildFilterOptions(
  words.anything,
  AUDIT_ACTIONS.map((value) => ({ value, text: auditTexts[value] })),
)

/** Ignores values that cannot be filters. */
function readAuditFilters({ query }: FastifyRequest): AuditFilters {
  const { pessoa, acao } = toRecord(query)
  return {
    action: AUDIT_ACTIONS.find((action) => action === acao),
    userId: typeof pessoa === 'string' && isUuid(pessoa) ? pessoa : undefined,
  }
}

function readAuditCursor({ query }: FastifyRequest) {
  const { cursor } = toRecord(query)
  return cursor === undefined ? undefined : PageQuery.shape.cursor.safeParse(cursor).data
}

type AuditPerson = { id: string; email: string }

/**
 * Lists people for the filter. A person who has left is chosen by their name in the list, and then appears here too.
 * @param latest the last entry of the filtered person, if there is one
 */
function buildPeopleOptions(people: AuditPerson[], latest: AuditEntry[]) {
  const gone = latest.filter(({ userId }) => !people.some(({ id }) => id === userId))
  return [
    { value: '', text: words.anybody },
    ...people.map(({ id, email }) => ({ value: id, text: email })),
    ...gone.map(({ userId, actor }) => ({ value: userId ?? '', text: actor })),
  ]
}

type AuditContext = {
  /** The ids of the company's present users. */
  present: Set<string>
  /** The titles of links by id. */
  titles: ReadonlyMap<string, string>
}

export function toAuditRow(entry: AuditEntry, { present, titles }: AuditContext) {
  const { action, actor, userId, subject, address, testMode, createdAt } = entry
  const { linkIds: _, ...details } = entry.details
  const did: string = auditTexts[action]
  const links = listLinkIds(entry).flatMap((id) => {
    const title = titles.get(id)
    return title === undefined ? [] : { title, href: linkPagePath(id) }
  })
  const href = getSubjectPath(entry, present)
  return {
    testMode: testMode && !PEOPLE_ACTIONS.has(action),
    actor,
    address,
    href,
    createdAt,
    did,
    subject: subject ?? (href && words.see),
    byActor: userId && `${AUDIT_LOG_PATH}?pessoa=${userId}`,
    details: Object.entries(details).map(
      ([name, value]) => (isChange(value) ? value : DETAIL_FORMATTERS[name]?.(value)) ?? value,
    ),
    links,
  }
}

/** Whether a detail is a change written by a form: `Só destes endereços: qualquer lugar → 203.0.113.7/32`. */
function isChange(detail: string) {
  return detail.includes(versionTexts.became(''))
}

/** Returns the links of a bulk change. */
function listLinkIds({ details }: AuditEntry) {
  return details.linkIds?.split(' ').filter(isUuid) ?? []
}

function getSubjectPath({ action, subjectId }: AuditEntry, present: Set<string>) {
  if (!subjectId || action === 'endpoint_removed') return null
  if (present.has(subjectId)) return personPagePath(subjectId)
  const found = SUBJECT_PATHS.find(([start]) => action.startsWith(start))
  return found ? found[1](subjectId) : null
}
