// Files of links that are worked on, for whoever looks at the list of links meanwhile.

import type { Database } from '../../database/connect.ts'
import { and, desc, eq, gte, or } from '../../database/drizzle.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { linkImports } from '../../database/tables.ts'
import type { LinkImport } from './link-import.ts'

const MAX_SHOWN = 3

/** The newest first; for a minute also those that are done. */
export async function listImportsUnderWay(
  db: Database,
  companyId: string,
  now: Date,
): Promise<LinkImport[]> {
  const { companyId: company, status, workedAt, id } = linkImports
  const since = new Date(now.getTime() - MINUTE_MS).toISOString()
  return db
    .select()
    .from(linkImports)
    .where(
      and(
        eq(company, companyId),
        or(eq(status, 'running'), and(eq(status, 'done'), gte(workedAt, since))),
      ),
    )
    .orderBy(desc(id))
    .limit(MAX_SHOWN)
}
