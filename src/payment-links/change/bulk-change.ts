// Carries out a bulk change in batches. Each link is checked as if it were changed alone, and its result is stored:
// done, or the reason why not. A repeated request continues where the first one stopped.

import type { Company } from '../../companies/company.ts'
import type { Transaction } from '../../database/connect.ts'
import { asc, eq, inArray, sql } from '../../database/drizzle.ts'
import type { LinkStatus } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { isPast } from '../../database/instant.ts'
import { type BulkRefusal, linkBulks, paymentLinks } from '../../database/tables.ts'
import { AppError } from '../../http/errors.ts'
import type { WorkNeeds } from '../../queue/interval.ts'
import { emitPassedExpiries } from '../events.ts'
import { getLinkStatus, type LinkRow } from '../payment-link.ts'
import { PaymentLinkChanges } from '../schema.ts'
import type { LinkBulk } from './bulk.ts'
import { getUnarchivedStatus, prepareLinkChange } from './change.ts'

/** The most links that are locked at once. */
const LINKS_A_BATCH = 100

/** Called in the transaction that ends the bulk change, if a link was changed. */
type RecordBulk = (tx: Transaction, bulk: LinkBulk) => Promise<void>

export async function runLinkBulk(
  { db, now }: Omit<WorkNeeds, 'log'>,
  company: Company,
  bulk: LinkBulk,
  recordDone: RecordBulk,
): Promise<LinkBulk> {
  let current = bulk
  while (current.finishedAt === null) {
    const at = now()
    current = await db.transaction((tx) => changeNextLinks(tx, company, bulk.id, at, recordDone))
  }
  return current
}

async function changeNextLinks(
  tx: Transaction,
  company: Company,
  id: string,
  now: Date,
  recordDone: RecordBulk,
) {
  const [found] = await tx.select().from(linkBulks).where(eq(linkBulks.id, id)).for('update')
  const bulk = requireFound(found)
  if (bulk.finishedAt !== null) return bulk
  const workedCount = Math.min(bulk.workedCount + LINKS_A_BATCH, bulk.linkIds.length)
  const results: BulkResult[] = []
  const ids = bulk.linkIds.slice(bulk.workedCount, workedCount)
  for (const link of await lockLinks(tx, ids, now)) {
    results.push(await decideLinkChange(tx, company, bulk, link, now))
  }
  const changed = results.flatMap(toChangedLink)
  await setLinkStates(tx, changed, now)
  const isOver = workedCount === bulk.linkIds.length
  const [saved] = await tx
    .update(linkBulks)
    .set({
      workedCount,
      changed: [...bulk.changed, ...changed.map(({ id }) => ({ id }))],
      refused: [...bulk.refused, ...results.flatMap(toRefusedLink)],
      finishedAt: isOver ? now.toISOString() : null,
    })
    .where(eq(linkBulks.id, id))
    .returning()
  const after = requireFound(saved)
  if (isOver && after.changed.length > 0) await recordDone(tx, after)
  return after
}

/** Locks links for a change, in the order of their ids, so that two bulk changes cannot deadlock; payments continue. */
async function lockLinks(tx: Transaction, ids: string[], now: Date): Promise<LinkRow[]> {
  if (ids.length === 0) return []
  const links = await tx
    .select()
    .from(paymentLinks)
    .where(inArray(paymentLinks.id, ids))
    .orderBy(asc(paymentLinks.id))
    .for('no key update')
  await emitPassedExpiries(tx, ids, now)
  return links
}

type LinkState = Pick<LinkRow, 'id' | 'status' | 'tags'>

async function setLinkStates(tx: Transaction, states: LinkState[], now: Date) {
  if (states.length === 0) return
  await tx.execute(sql`
    update payment_links link
    set status = state.status, updated_at = ${now.toISOString()}::timestamptz,
      completed_from = case when state.status = 'archived' and link.status in ('active', 'inactive')
        then link.status else link.completed_from end,
      tags = array(select jsonb_array_elements_text(state.tags))
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as state (id uuid, status text, tags jsonb)
    where link.id = state.id`)
}

type BulkResult =
  | { kind: 'changed'; link: LinkState }
  | { kind: 'refused'; id: string; reason: BulkRefusal }
  /** The link already has the requested state. */
  | { kind: 'unchanged' }

/** Decides the result for one link, without writing. */
async function decideLinkChange(
  tx: Transaction,
  company: Company,
  bulk: LinkBulk,
  link: LinkRow,
  now: Date,
): Promise<BulkResult> {
  const { id, status, tags } = link
  if (bulk.action === 'archive') {
    if (status === 'archived') return UNCHANGED
    return { kind: 'changed', link: { id, status: 'archived', tags } }
  }
  if (status === 'archived' && !BRINGING_BACK.has(bulk.action)) {
    return { kind: 'refused', id, reason: 'archived' }
  }
  const changes = buildLinkChanges(bulk, link, now)
  if (changes === undefined) return UNCHANGED
  const read = PaymentLinkChanges.safeParse(changes)
  if (!read.success) return { kind: 'refused', id, reason: 'tooManyTags' }
  try {
    const after = await prepareLinkChange(tx, company, link, { changes: read.data }, now)
    return { kind: 'changed', link: { id, status: after.status, tags: after.tags } }
  } catch (error) {
    return { kind: 'refused', id, reason: readRefusal(link, error, now) }
  }
}

const UNCHANGED: BulkResult = { kind: 'unchanged' }
const BRINGING_BACK: ReadonlySet<LinkBulk['action']> = new Set(['unarchive', 'resume'])

/** Undefined when the link already has the requested state. */
function buildLinkChanges({ action, tag }: LinkBulk, link: LinkRow, now: Date) {
  const { tags } = link
  if (action === 'add_tag') {
    return tag === null || tags.includes(tag) ? undefined : { tags: [...tags, tag] }
  }
  if (action === 'remove_tag') {
    return tags.some((one) => one === tag) ? { tags: tags.filter((one) => one !== tag) } : undefined
  }
  const before = getLinkStatus(link, now)
  const status = getWantedStatus(action, link, before)
  return status === before ? undefined : { status }
}

function getWantedStatus(action: LinkBulk['action'], link: LinkRow, before: LinkStatus) {
  if (action === 'unarchive') return before === 'archived' ? getUnarchivedStatus(link) : before
  return action === 'pause' ? 'inactive' : 'active'
}

/** Returns a refusal, which has changed nothing; throws all other errors. */
function readRefusal({ expiresAt }: LinkRow, error: unknown, now: Date): BulkRefusal {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'invalid_transition') return isPast(expiresAt, now) ? 'expired' : 'complete'
  return 'tooBig'
}

function toChangedLink(result: BulkResult) {
  return result.kind === 'changed' ? [result.link] : []
}

function toRefusedLink(result: BulkResult) {
  return result.kind === 'refused' ? [{ id: result.id, reason: result.reason }] : []
}
