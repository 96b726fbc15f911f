// What many links were changed to, taken back: once, within seconds, by who did it, and of those links alone
// that still are as it left them.

import { isDeepStrictEqual } from 'node:util'
import type { Company } from '../../companies/company.ts'
import type { Transaction } from '../../database/connect.ts'
import { and, eq, gt, isNull } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { linkBulks } from '../../database/tables.ts'
import { completeSoldOutLink } from '../events.ts'
import type { LinkRow } from '../payment-link.ts'
import { sumPayments } from '../payments.ts'
import type { BulkOwner, LinkBulk } from './bulk.ts'
import type { BulkNeeds, RecordBulk } from './change.ts'
import { lockLinks, setLinkStates } from './states.ts'

/** What people are promised. */
const UNDO_MS = 10_000
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
async function restoreLinks(tx: Transaction, { changed }: LinkBulk, now: Date) {
  const left = new Map(changed.map((link) => [link.id, link]))
  const locked = await lockLinks(tx, [...left.keys()], now)
  const restored = locked.flatMap((link) => {
    const { before, after, at } = requireFound(left.get(link.id))
    const { status, tags, updatedAt } = link
    const isAsLeft = updatedAt === at && isDeepStrictEqual({ status, tags }, after)
    return isAsLeft ? [{ ...link, ...before }] : []
  })
  await setLinkStates(
    tx,
    restored.map(({ id, status, tags }) => ({ id, status, tags })),
    now,
  )
  return restored
}

/** One whose last payment came in meanwhile. */
async function completeFullLink(tx: Transaction, { testMode }: Company, link: LinkRow, now: Date) {
  const { maxPayments } = link
  if (maxPayments === null || (await sumPayments(tx, link)).paymentsCount < maxPayments) return
  await completeSoldOutLink(tx, link.id, { testMode, now })
}
