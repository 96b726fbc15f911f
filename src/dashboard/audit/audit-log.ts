// `/painel/registro`: who did what, when and from where.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  listAudit,
} from '../../companies/audit.ts'
import { auditTexts } from '../../companies/texts.ts'
import { isId } from '../../database/id.ts'
import { PageQuery, page } from '../../http/pagination.ts'
import { listUsers } from '../../users/user.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { momentOf, pagerOf, pagesOf } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { auditPageTexts } from './texts.ts'

const LOG = '/painel/registro'
const LIMIT = 50

/** Where that is which something was done to, by the beginning of what was done. */
const PAGES: [AuditAction | `${string}_`, (id: string) => string][] = [
  ['link_', (id) => `/painel/links/${id}`],
  ['cards_', (id) => `/painel/links/${id}`],
  ['customer_', (id) => `/painel/clientes/${id}`],
  ['refund_asked', (id) => `/painel/transacoes/${id}`],
  ['endpoint_', (id) => `/painel/integracoes/${id}`],
  ['secret_', (id) => `/painel/integracoes/${id}`],
  ['test_event_sent', (id) => `/painel/integracoes/${id}`],
  ['deliveries_resent', (id) => `/painel/integracoes/${id}`],
  ['delivery_resent', (id) => `/painel/integracoes/entregas/${id}`],
]

const words = auditPageTexts

/** Details that are kept as programs read them; all others are words already. */
const DETAILS: Record<string, (value: string) => string> = {
  until: (instant) => words.until(whenOf(instant)),
  since: (instant) => words.since(whenOf(instant)),
  count: (n) => words.count(Number(n)),
  declined: (n) => words.declined(Number(n)),
  pausedUntil: (instant) => words.pausedUntil(whenOf(instant)),
  change: (change) => words.changes[change] ?? change,
}

type Filters = { action: AuditAction | undefined; userId: string | undefined }

export async function auditLogPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get('/registro', { config: { owners: true } }, async (request, reply) => {
    const { company } = request.visitor
    const filters = filtersOf(request)
    const before = cursorOf(request)
    const [entries, people] = await Promise.all([
      listAudit(db, company.id, { ...filters, before, limit: LIMIT + 1 }),
      listUsers(db, company.id),
    ])
    const { data, nextCursor } = page(entries, LIMIT)
    const present = new Set(people.map(({ id }) => id))
    return show(request, reply, 'audit/list', {
      title: sectionTitles.registro,
      section: 'registro',
      entries: data.map((entry) => rowOf(entry, present)),
      ...{ people: peopleOptions(people, entries, filters), actions: ACTIONS },
      filters: { pessoa: filters.userId ?? '', acao: filters.action ?? '' },
      isFiltered: Object.values(filters).some((value) => value !== undefined),
      pager: pagerOf(request, nextCursor),
    })
  })
}

const ACTIONS = [
  { value: '', text: words.anything },
  ...AUDIT_ACTIONS.map((value) => ({ value, text: auditTexts[value] })),
]

/** What cannot be a filter narrows nothing. */
function filtersOf({ query }: FastifyRequest): Filters {
  const { pessoa, acao } = query as Record<string, unknown>
  return {
    action: AUDIT_ACTIONS.find((action) => action === acao),
    userId: typeof pessoa === 'string' && isId(pessoa) ? pessoa : undefined,
  }
}

function cursorOf({ query }: FastifyRequest) {
  const { cursor } = query as { cursor?: unknown }
  return cursor === undefined ? undefined : PageQuery.shape.cursor.safeParse(cursor).data
}

function whenOf(instant: string) {
  return momentOf(instant).text
}

type Person = { id: string; email: string }

/** Who is gone is reached by their name in the list, and then stands here. */
function peopleOptions(people: Person[], entries: AuditEntry[], { userId }: Filters) {
  const gone = people.some(({ id }) => id === userId)
    ? []
    : entries.filter((entry) => entry.userId === userId && userId).slice(0, 1)
  return [
    { value: '', text: words.anybody },
    ...people.map(({ id, email }) => ({ value: id, text: email })),
    ...gone.map(({ actor }) => ({ value: userId!, text: actor })),
  ]
}

function rowOf(entry: AuditEntry, present: Set<string>) {
  const { action, actor, userId, subject, details, address, createdAt } = entry
  const href = hrefOf(entry, present)
  return {
    ...{ actor, address, href, when: momentOf(createdAt) },
    did: auditTexts[action],
    subject: subject ?? (href && words.see),
    byActor: userId && `${LOG}?pessoa=${userId}`,
    details: Object.entries(details).map(([name, value]) => DETAILS[name]?.(value) ?? value),
  }
}

function hrefOf({ action, subjectId }: AuditEntry, present: Set<string>) {
  if (!subjectId || action === 'endpoint_removed') return null
  if (present.has(subjectId)) return `/painel/equipe/${subjectId}`
  const found = PAGES.find(([start]) => action.startsWith(start))
  return found ? found[1](subjectId) : null
}
