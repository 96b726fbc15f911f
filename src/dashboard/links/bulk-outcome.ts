// The result of a bulk change, above the list: how many links were changed, which were not, and why.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { findLinkBulk, type LinkBulk, listLinkTitles } from '../../payment-links/bulk/bulk.ts'
import { getEntries } from '../../record.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import type { Outcome } from '../layout/lists/views.ts'
import { linkBulkTexts } from './bulk-texts.ts'

const words = linkBulkTexts
/** The number of links that are named by title. */
const NAMED_LINKS = 3

/** Null when the address names no bulk change of this person. */
export async function findBulkOutcome(
  db: Database,
  { query, visitor }: FastifyRequest,
): Promise<Outcome | null> {
  const { lote, falta = '' } = readTypedFields(query)
  const missing = getEntries(words.missing).find(([name]) => name === falta)
  if (missing) return { isGood: false, text: missing[1] }
  if (lote === undefined) return null
  const owner = { companyId: visitor.company.id, userId: visitor.user.id }
  const bulk = await findLinkBulk(db, owner, lote)
  if (!bulk) return null
  return toDoneOutcome(bulk, await listLinkTitles(db, bulk, listNamedIds(bulk)))
}

type Titles = ReadonlyMap<string, string>

function toDoneOutcome(bulk: LinkBulk, titles: Titles): Outcome {
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

function groupRefused({ refused }: LinkBulk) {
  return getEntries(words.refusals).flatMap(([reason]) => {
    const ids = refused.flatMap((one) => (one.reason === reason ? one.id : []))
    return ids.length > 0 ? [[reason, ids] as const] : []
  })
}

function listNamedIds(bulk: LinkBulk) {
  return groupRefused(bulk).flatMap(([, ids]) => ids.slice(0, NAMED_LINKS))
}

function nameLinks(ids: readonly string[], titles: Titles) {
  const named = ids.slice(0, NAMED_LINKS).flatMap((id) => titles.get(id) ?? [])
  return words.names(named, ids.length - named.length)
}
