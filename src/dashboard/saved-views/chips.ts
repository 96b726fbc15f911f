// A person's saved views above a list, the one that is shown marked, and the way to save another.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { ViewedList } from '../../database/enums.ts'
import { listSavedViews, VIEW_QUERY_LENGTH } from '../../users/saved-views.ts'
import { savedViewPath } from '../layout/paths.ts'
import { buildViewUrl, LISTS, toSavedQuery } from './lists.ts'

export async function buildViewChips(
  db: Database,
  { url, visitor }: FastifyRequest,
  list: ViewedList,
  now: Date,
) {
  const saved = await listSavedViews(db, { userId: visitor.user.id, list })
  const query = toSavedQuery(url, now)
  const current = saved.find((view) => view.query === query)
  const isSavable = query !== '' && query.length <= VIEW_QUERY_LENGTH && !current
  return {
    chips: saved.map((view) => ({
      name: view.name,
      href: buildViewUrl(view, now),
      isCurrent: view === current,
    })),
    all: { href: LISTS[list].path, isCurrent: query === '' },
    edit: current ? { name: current.name, href: savedViewPath(current.id) } : null,
    /** Undefined where there is nothing to save, or it is saved. */
    save: isSavable ? { list, query } : null,
  }
}
