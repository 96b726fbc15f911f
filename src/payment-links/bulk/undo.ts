// What many links were changed to, taken back: once, within seconds, by who did it, and of those links alone
// that still are as it left them.

import type { Company } from '../../companies/company.ts'
import type { Transaction } from '../../database/connect.ts'
import { and, eq, gt, isNull, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { linkBulks } from '../../database/tables.ts'
import { emitLinkEvent } from '../events.ts'
import { completeLink, type LinkRow } from '../payment-link.ts'
import { countPayments } from '../payments.ts'
import type { BulkOwner, LinkBulk } from './bulk.ts'
import { type BulkNeeds, lockLinks, type RecordBulk } from './change.ts'

/** What people are promised. */
export const UNDO_MS = 10_000
/** A press in the last moment is on its way for a while. */
const UNDO_GRACE_MS = 5_000

type UndoResult =
  | { kind: 'undone'; bulk: LinkBulk }
  /** Too late, undone before, or somebody else's. */
  | { kind: 'refused' }

export async function undoLinkBulk(
  { db, now }: BulkNeeds,
  company: Company,
  { id, userId }: { id: string } & Pick<BulkOwner, 'userId'>,
  recordUndone: RecordBulk,
): Promise<UndoResult> {
  const at = now()
  return db.transaction(async (tx) => {
    const bulk = await claimUndo(tx, { companyId: company.id, userId }, id, at)
    if (!bulk) return { kind: 'refused' }
    const restored = await restoreLinks(tx, bulk, at)
    for (const link of restored) await completeFullLink(tx, company, link, at)
    const ids = new Set(restored.map((link) => link.id))
    const keptIds = bulk.changed.flatMap((link) => (ids.has(link.id) ? [] : link.id))
    const [saved] = await tx
      .update(linkBulks)
      .set({ keptIds })
      .where(eq(linkBulks.id, id))
      .returning()
    if (restored.length > 0) await recordUndone(tx, requireFound(saved))
    return { kind: 'undone', bulk: requireFound(saved) }
  })
}

/** Until when the button stands there; null where nothing can be undone. */
export function getUndoEnd({ changed, finishedAt, undoneAt }: LinkBulk) {
  if (changed.length === 0 || finishedAt === null || undoneAt !== null) return null
  return new Date(Date.parse(finishedAt) + UNDO_MS)
}

async function claimUndo(tx: Transaction, owner: BulkOwner, id: string, now: Date) {
  const { companyId, userId, finishedAt, undoneAt } = linkBulks
  const start = new Date(now.getTime() - UNDO_MS - UNDO_GRACE_MS).toISOString()
  const [claimed] = await tx
    .update(linkBulks)
    .set({ undoneAt: now.toISOString() })
    .where(
      and(
        eq(linkBulks.id, id),
        eq(companyId, owner.companyId),
        eq(userId, owner.userId),
        gt(finishedAt, start),
        isNull(undoneAt),
      ),
    )
    .returning()
  return claimed
}

/** Whoever changed one meanwhile has changed when it was changed last, or what it is. */
async function restoreLinks(tx: Transaction, bulk: LinkBulk, now: Date) {
  const locked = await lockLinks(
    tx,
    bulk.changed.map(({ id }) => id),
  )
  const { rows } = await tx.execute<{ id: string }>(sql`
    update payment_links link
    set status = was.before->>'status', updated_at = ${now.toISOString()}::timestamptz,
      tags = array(select jsonb_array_elements_text(was.before->'tags'))
    from jsonb_to_recordset(${JSON.stringify(bulk.changed)}::jsonb)
      as was (id uuid, before jsonb, after jsonb, at timestamptz)
    where link.id = was.id and link.status = was.after->>'status'
      and to_jsonb(link.tags) = was.after->'tags' and link.updated_at = was.at
    returning link.id`)
  const restored = new Set(rows.map(({ id }) => id))
  return locked.filter(({ id }) => restored.has(id))
}

/** One whose last payment came in meanwhile. */
async function completeFullLink(
  tx: Transaction,
  { testMode }: Company,
  { id, maxPayments }: LinkRow,
  now: Date,
) {
  if (maxPayments === null || (await countPayments(tx, id)) < maxPayments) return
  const completed = await completeLink(tx, id, now)
  if (completed.kind !== 'completed') return
  await emitLinkEvent(tx, { link: completed.link, type: 'payment_link.completed', testMode, now })
}
