// What links a list is asked for, and what a single one must be to be among them.

import { type SQL, sql } from '../../database/drizzle.ts'
import type { LinkStatus } from '../../database/enums.ts'
import type { SearchWords } from '../../search/tsquery.ts'
import type { LinkFilters } from '../schema.ts'

/** What the people of a company may ask for besides. */
export type LinkListFilters = LinkFilters & {
  /** All of these words, of whatever a link is known by. */
  search?: SearchWords | undefined
}

export type LinkQuery = LinkListFilters & {
  companyId: string
  /** The id that the last page ended with. */
  cursor: string
  /** The oldest first. */
  oldest: boolean
  now: Date
  slug?: string
  /** Those that have the words, newest first, where they were looked for already. */
  matched?: string[] | undefined
}

type WantedLink = LinkQuery & {
  /** The index that leads has seen to the status. */
  isStatusCovered?: boolean
}

/** What a single row must be to be wanted, but for its company and its place in the list. */
export function buildLinkConditions({
  status,
  method,
  tag: tags = [],
  q,
  createdFrom,
  createdTo,
  metadata,
  now,
  isStatusCovered = false,
  ...named
}: WantedLink): SQL[] {
  return [
    ...(isStatusCovered ? [] : [buildStatusCondition(status, now)]),
    ...(method === undefined ? [] : [sql`methods @> array[${method}]::text[]`]),
    ...(tags.length > 0 ? [sql`tags @> ${sql.param(tags)}::text[]`] : []),
    ...(createdFrom === undefined ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdTo === undefined ? [] : [sql`created_at <= ${createdTo}`]),
    ...(q === undefined ? [] : [buildTitleCondition(q)]),
    ...(metadata === undefined ? [] : [sql`metadata @> ${JSON.stringify(metadata)}::jsonb`]),
    ...(named.externalReference === undefined
      ? []
      : [sql`external_reference = ${named.externalReference}`]),
  ]
}

export function buildTitleCondition(q: string): SQL {
  const part = q.replace(/[\\%_]/g, '\\$&')
  return sql`fold(title) like '%' || fold(${part}) || '%'`
}

/** As the partial indexes have it: Postgres recognises them by these words. */
export const IS_NOT_ARCHIVED = sql`status <> 'archived'`

function buildStatusCondition(status: LinkStatus | undefined, now: Date): SQL {
  const at = now.toISOString()
  switch (status) {
    case undefined:
      return IS_NOT_ARCHIVED
    case 'active':
      return sql`status = 'active' and (expires_at is null or expires_at > ${at})`
    case 'expired':
      return sql`status = 'active' and expires_at <= ${at}`
    default:
      return sql`status = ${status}`
  }
}
