// Reads the filters of a list of links from its address, the same for the page, the export and bulk changes.

import { isUuid } from '../../database/id.ts'
import { toRecord } from '../../http/fields.ts'
import type { LinkListFilters } from '../../payment-links/list/conditions.ts'
import { LinkFilters } from '../../payment-links/schema.ts'
import { parseSearch, readSearchedText } from '../layout/lists/search-words.ts'

/** Returns the typed filters, and their meaning at `now`. */
export function readLinkFilter(query: unknown, now: Date) {
  const typed = readTypedFilters(query)
  return { typed, wanted: resolveSearch(typed, now) }
}

const LINK_FILTER_NAMES = ['tag', 'status', 'method'] as const

/** `importacao`: only the links of an imported file, by the id of its import. */
export type TypedLinkFilters = LinkFilters & { importacao?: string }

/** Ignores values that cannot be filters. */
function readTypedFilters(query: unknown): TypedLinkFilters {
  const given = toRecord(query)
  const q = readSearchedText(query)
  const read = LINK_FILTER_NAMES.flatMap((name) => {
    const { data } = LinkFilters.shape[name].safeParse(given[name] || undefined)
    return data === undefined ? [] : [[name, data]]
  })
  const { importacao } = given
  const isImport = typeof importacao === 'string' && isUuid(importacao)
  return {
    ...(q && { q }),
    ...Object.fromEntries(read),
    ...(isImport && { importacao: importacao.toLowerCase() }),
  }
}

/** A single letter is part of a title, as in the API. */
function resolveSearch({ q, importacao, ...others }: TypedLinkFilters, now: Date): LinkListFilters {
  // All links of an imported file are shown, archived ones too.
  const filters = {
    ...others,
    ...(importacao && { importId: importacao, isArchivedShown: true as const }),
  }
  const search = q === undefined ? undefined : parseSearch(q, now)
  return search ? { ...filters, search } : { ...filters, q }
}
