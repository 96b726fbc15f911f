// SQL conditions for the filters of a list of links.

import {
  and,
  eq,
  gt,
  gte,
  isNull,
  lte,
  ne,
  or,
  orm,
  type SQL,
  sql,
} from '../../database/drizzle.ts'
import type { LinkStatus } from '../../database/enums.ts'
import { paymentLinks } from '../../database/tables.ts'
import { buildConditions } from '../../lists/page.ts'
import { matchesSearch, type Search } from '../../lists/words.ts'
import { isOfImport } from '../batch/import.ts'
import type { LinkFilters } from '../schema.ts'

/** Filters of the dashboard only. */
export type LinkListFilters = LinkFilters & {
  /** Searches the link's words and the day of its creation. */
  search?: Search | undefined
  /** Includes archived links when no status is given. */
  isArchivedShown?: true | undefined
  /** Only the links of one imported file. */
  importId?: string | undefined
}

/** The slug, if `q` is one (resolveName). */
type NamedLinkFilters = LinkListFilters & { slug?: string | undefined }

/** Archived links are left out by default, by the condition of the index `payment_links_live`. */
export function buildLinkConditions(
  companyId: string,
  filters: NamedLinkFilters,
  now: Date,
): SQL | undefined {
  const { externalReference, title, tags, methods, createdAt, metadata, slug } = paymentLinks
  const conditions = buildConditions<NamedLinkFilters>(
    {
      status: (status) => buildStatusCondition(status, now),
      method: (method) => orm.arrayContains(methods, [method]),
      tag: (wanted) => (wanted.length > 0 ? orm.arrayContains(tags, wanted) : undefined),
      createdFrom: (at) => gte(createdAt, at),
      createdTo: (at) => lte(createdAt, at),
      q: (part) => sql`fold(${title}) like '%' || fold(${part.replace(/[\\%_]/g, '\\$&')}) || '%'`,
      metadata: (pairs) => sql`${metadata} @> ${JSON.stringify(pairs)}::jsonb`,
      externalReference: (reference) => eq(externalReference, reference),
      slug: (name) => eq(slug, name),
      isArchivedShown: () => undefined,
      importId: isOfImport,
      search: (search) => matchesSearch(paymentLinks, companyId, search, createdAt),
    },
    filters,
  )
  const { status, isArchivedShown } = filters
  const shown = status || isArchivedShown ? undefined : ne(paymentLinks.status, 'archived')
  return and(eq(paymentLinks.companyId, companyId), shown, ...conditions)
}

function buildStatusCondition(status: LinkStatus, now: Date) {
  const { expiresAt } = paymentLinks
  const at = now.toISOString()
  switch (status) {
    case 'active':
      return and(eq(paymentLinks.status, 'active'), or(isNull(expiresAt), gt(expiresAt, at)))
    case 'expired':
      return and(eq(paymentLinks.status, 'active'), lte(expiresAt, at))
    default:
      return eq(paymentLinks.status, status)
  }
}
