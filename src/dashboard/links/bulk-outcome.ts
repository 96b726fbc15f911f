// What came of a change of many links, above the list: how many were changed, which were not and why, and for
// some seconds the way back.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { findLinkBulk, type LinkBulk, listLinkTitles } from '../../payment-links/bulk/bulk.ts'
import { getUndoEnd } from '../../payment-links/bulk/undo.ts'
import { getEntries } from '../../record.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { readListQuery } from '../layout/lists/pager.ts'
import type { Outcome } from '../layout/lists/views.ts'
import { LINKS_PATH } from '../layout/paths.ts'
import { linkBulkTexts } from './bulk-texts.ts'

const words = linkBulkTexts
/** So many are called by their titles. */
const NAMED_LINKS = 3

/** Null where the address says nothing of such a change, or of somebody else's. */
export async function findBulkOutcome(
  db: Database,
  { url, query, visitor }: FastifyRequest,
  now: Date,
): Promise<Outcome | null> {
  const { lote, falta = '' } = readTypedFields(query)
  const missing = getEntries(words.missing).find(([name]) => name === falta)
  if (missing) return { isGood: false, text: missing[1], undo: null }
  if (lote === undefined) return null
  const owner = { companyId: visitor.company.id, userId: visitor.user.id }
  const bulk = await findLinkBulk(db, owner, lote)
  if (!bulk) return null
  const titles = await listLinkTitles(db, bulk, listNamedIds(bulk))
  if (bulk.undoneAt !== null) return toUndoneOutcome(bulk, titles)
  const undo = buildUndo(bulk, readListQuery(url), now)
  return { ...toDoneOutcome(bulk, titles), undo }
}

type Titles = ReadonlyMap<string, string>

function toDoneOutcome(bulk: LinkBulk, titles: Titles) {
  const { action, tag, changed, refused, linkIds, workedCount } = bulk
  const unchanged = workedCount - changed.length - refused.length
  const left = linkIds.length - workedCount
  return {
    isGood: changed.length > 0,
    text: words.sentence([
      changed.length > 0 ? words.actions[action].done(changed.length, tag ?? '') : words.none,
      ...(unchanged > 0 ? [words.unchanged(unchanged)] : []),
      ...groupRefused(bulk).map(([reason, ids]) =>
        words.refused(ids.length, nameLinks(ids, titles), words.refusals[reason]),
      ),
      ...(left > 0 ? [words.unfinished(left)] : []),
    ]),
  }
}

function toUndoneOutcome({ changed, keptIds }: LinkBulk, titles: Titles): Outcome {
  const restored = changed.length - keptIds.length
  return {
    isGood: restored > 0,
    text: words.sentence([
      restored > 0 ? words.restored(restored) : words.none,
      ...(keptIds.length > 0 ? [words.kept(keptIds.length, nameLinks(keptIds, titles))] : []),
    ]),
    undo: null,
  }
}

function buildUndo(bulk: LinkBulk, filter: string, now: Date) {
  const end = getUndoEnd(bulk)
  const seconds = end === null ? 0 : Math.ceil((end.getTime() - now.getTime()) / 1_000)
  return seconds > 0 ? { action: `${LINKS_PATH}/lote/${bulk.id}/desfazer`, seconds, filter } : null
}

function groupRefused({ refused }: LinkBulk) {
  return getEntries(words.refusals).flatMap(([reason]) => {
    const ids = refused.flatMap((one) => (one.reason === reason ? one.id : []))
    return ids.length > 0 ? [[reason, ids] as const] : []
  })
}

function listNamedIds(bulk: LinkBulk) {
  const groups = [bulk.keptIds, ...groupRefused(bulk).map(([, ids]) => ids)]
  return groups.flatMap((ids) => ids.slice(0, NAMED_LINKS))
}

function nameLinks(ids: readonly string[], titles: Titles) {
  const named = ids.slice(0, NAMED_LINKS).flatMap((id) => titles.get(id) ?? [])
  return words.names(named, ids.length - named.length)
}
