// `/painel/links/lote`: actions on many links at once, chosen one by one or by a filter. Every action has its opposite.
import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { LINK_BULK_ACTIONS, type LinkBulkAction } from '../../database/enums.ts'
import { deriveIds, newId } from '../../database/id.ts'
import { toRecord } from '../../http/fields.ts'
import {
  type BulkOwner,
  createLinkBulk,
  findLinkBulk,
  isSameAction,
  type LinkBulk,
  MAX_BULK_LINKS,
} from '../../payment-links/change/bulk.ts'
import { runLinkBulk } from '../../payment-links/change/bulk-change.ts'
import { streamPaymentLinks } from '../../payment-links/list/list.ts'
import { PaymentLinkChanges } from '../../payment-links/schema.ts'
import { readTypedFields } from '../layout/form.ts'
import { buildListUrl, readShownAt } from '../layout/list.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { LINKS_PATH } from '../layout/paths.ts'
import { toStringList } from './form.ts'
import { readLinkFilter } from './list.ts'
import { linkBulkTexts } from './texts.ts'

/** More would make the address too long. */
const MAX_KEPT_TAG = 200
const MAX_KEPT_LINKS = 100
const EDIT_LINKS = requireRight('editLinks')

const AUDIT_ACTIONS: Record<LinkBulkAction, AuditAction> = {
  archive: 'links_archived',
  unarchive: 'links_unarchived',
  pause: 'links_paused',
  resume: 'links_resumed',
  add_tag: 'links_tagged',
  remove_tag: 'links_untagged',
}

export async function linkBulkRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now } = needs

  app.post('/links/lote', EDIT_LINKS, async (request, reply) => {
    const { company, user } = request.visitor
    const typed = readTypedFields(request.body)
    const asked = readBulkForm(typed)
    const chosenIds = toStringList(toRecord(request.body).link)
    const refuse = (falta: string) =>
      returnToList(reply, typed, { falta, ...toKeptChoice(typed, chosenIds) })
    if (asked.kind === 'invalid') return refuse(asked.missing)
    const { action, tag } = asked
    const owner = { companyId: company.id, userId: user.id }
    const isAll = typed.todos !== undefined
    const formId = typed.lote ?? newId()
    // The chosen links and all links of a filter are two bulk changes with ids of their own.
    const [allId = formId] = deriveIds(formId, 1)
    const made = { id: isAll ? allId : formId, ...owner, action, tag, isAll }
    const linkIds = isAll ? await findAllIds(typed, made) : chosenIds
    if (linkIds.length === 0) return refuse('links')
    const bulk = await createLinkBulk(db, { ...made, linkIds }, now())
    const done = await runLinkBulk(needs, company, bulk, (tx, { changed }) =>
      recordAudit(tx, {
        ...buildBulkEntry(request, AUDIT_ACTIONS[action], toIds(changed)),
        ...(tag && { subject: tag }),
      }),
    )
    return returnToList(reply, typed, { lote: done.id })
  })

  /** A repeated form gets the links of the first one, since its filter may match others by now. */
  async function findAllIds(
    typed: Typed,
    bulk: BulkOwner & Pick<LinkBulk, 'id' | 'action' | 'tag'>,
  ) {
    const before = await findLinkBulk(db, bulk, bulk.id)
    if (before && isSameAction(before, bulk)) return before.linkIds
    return listShownIds(bulk.companyId, typed)
  }

  /** All links that the filter matched when the list was shown. */
  async function listShownIds(companyId: string, { ate, filtro = '' }: Typed) {
    const shownAt = readShownAt(ate, now())
    const { wanted } = readLinkFilter(parse(filtro), shownAt)
    const filters = { ...wanted, createdTo: shownAt.toISOString() }
    const ids: string[] = []
    for await (const links of streamPaymentLinks(db, companyId, filters, shownAt)) {
      ids.push(...links.map(({ id }) => id))
      if (ids.length >= MAX_BULK_LINKS) break
    }
    return ids.slice(0, MAX_BULK_LINKS)
  }

  function buildBulkEntry(request: FastifyRequest, action: AuditAction, ids: string[]) {
    const details = { links: String(ids.length), linkIds: ids.join(' ') }
    return { ...getAuditActor(request), action, details, now: now() }
  }
}

type Typed = Record<string, string>

type BulkForm =
  | { kind: 'valid'; action: LinkBulkAction; tag: string | null }
  | { kind: 'invalid'; missing: 'acao' | 'etiqueta' }

function readBulkForm({ acao, etiqueta = '' }: Typed): BulkForm {
  const action = LINK_BULK_ACTIONS.find((one) => linkBulkTexts.actions[one].value === acao)
  if (!action) return { kind: 'invalid', missing: 'acao' }
  if (action !== 'add_tag' && action !== 'remove_tag') return { kind: 'valid', action, tag: null }
  const { data } = PaymentLinkChanges.shape.tags.safeParse([etiqueta])
  const [tag] = data ?? []
  // The form of a single link separates tags by commas.
  if (tag === undefined || tag.includes(',')) return { kind: 'invalid', missing: 'etiqueta' }
  return { kind: 'valid', action, tag }
}

function toIds(links: readonly { id: string }[]) {
  return links.map(({ id }) => id)
}

/** What was typed and chosen in a refused form, for the list to show again (readKeptChoice). */
function toKeptChoice({ etiqueta, todos }: Typed, chosenIds: string[]) {
  return {
    ...(etiqueta && { etiqueta: etiqueta.slice(0, MAX_KEPT_TAG) }),
    ...(chosenIds.length > 0 && { escolhidos: chosenIds.slice(0, MAX_KEPT_LINKS).join(' ') }),
    ...(todos && { todos }),
  }
}

/** Returns to the same list, with the result. */
function returnToList(
  reply: FastifyReply,
  { filtro = '' }: Typed,
  outcome: Record<string, string>,
) {
  return reply.redirect(buildListUrl(LINKS_PATH, filtro, outcome), 303)
}
