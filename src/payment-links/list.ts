// A company's links, a page at a time.
import type { Database } from '../database/connect.ts'
import { and, desc, eq, lt, type SQL, sql } from '../database/drizzle.ts'
import { gather } from '../database/gather.ts'
import { perDatabase } from '../database/per-database.ts'
import { readValues, rowReader } from '../database/read.ts'
import { paymentLinks } from '../database/tables.ts'
import type { LinkStatus } from '../database/words.ts'
import type { PageQuery } from '../http/page.ts'
import type { LinkRow } from './payment-link.ts'
import type { LinkFilters } from './schema.ts'

/**
 * Up to `limit + 1` links, newest first, from below `cursor`. Archived ones only when asked for.
 * Each combination of filters is built and planned once.
 */
export async function listPaymentLinks(
  db: Database,
  companyId: string,
  { limit, cursor, ...filters }: PageQuery & LinkFilters,
  now: Date,
): Promise<LinkRow[]> {
  const { status, q, ...equal } = filters
  const given = Object.keys(equal).filter((key) => equal[key as keyof typeof equal] !== undefined)
  return statement(db)([...given, `status_${status ?? 'any'}`, ...(q ? ['q'] : [])])({
    ...equal,
    companyId,
    cursor,
    limit: limit + 1,
    now: now.toISOString(),
    q: q && `%${q.replace(/[\\%_]/g, '\\$&')}%`,
  })
}

type Asked = Record<string, unknown>

const ASKED = `n int, "companyId" uuid, cursor uuid, "limit" int, now timestamptz, tag text, method text,
  "externalReference" text, "createdFrom" timestamptz, "createdTo" timestamptz, q text`

const value = (name: string) => sql.raw(`asked."${name}"`)

const CONDITIONS: Record<string, () => SQL> = {
  tag: () => sql`${paymentLinks.tags} @> array[${value('tag')}]::text[]`,
  method: () => sql`${paymentLinks.methods} @> array[${value('method')}]::text[]`,
  externalReference: () => sql`${paymentLinks.externalReference} = ${value('externalReference')}`,
  createdFrom: () => sql`${paymentLinks.createdAt} >= ${value('createdFrom')}`,
  createdTo: () => sql`${paymentLinks.createdAt} <= ${value('createdTo')}`,
  q: () => sql`${paymentLinks.title} ilike ${value('q')}`,
  ...statusConditions(),
}

function statusConditions(): Record<`status_${LinkStatus | 'any'}`, () => SQL> {
  const { status, expiresAt } = paymentLinks
  return {
    status_any: () => sql`${status} <> 'archived'`,
    status_active: () =>
      sql`${status} = 'active' and (${expiresAt} is null or ${expiresAt} > ${value('now')})`,
    status_expired: () => sql`${status} = 'active' and ${expiresAt} <= ${value('now')}`,
    status_inactive: () => sql`${status} = 'inactive'`,
    status_completed: () => sql`${status} = 'completed'`,
    status_archived: () => sql`${status} = 'archived'`,
  }
}

const statement = perDatabase((db: Database) => {
  const built = new Map<string, (asked: Asked) => Promise<LinkRow[]>>()
  return (conditions: string[]) => {
    const name = `links_${conditions.join('_')}`
    const known = built.get(name) ?? build(db, name, conditions)
    built.set(name, known)
    return known
  }
})

const toRow = rowReader(paymentLinks, 1)

/** Plain lists that are asked for at once are read together; none of them waits for a search. */
function build(db: Database, name: string, conditions: string[]) {
  const page = db
    .select()
    .from(paymentLinks)
    .where(
      and(
        eq(paymentLinks.companyId, value('companyId')),
        lt(paymentLinks.id, value('cursor')),
        ...conditions.map((condition) => CONDITIONS[condition]!()),
      ),
    )
    .orderBy(desc(paymentLinks.id))
    .limit(value('limit') as never)
  const text = `select asked.n, page.* from json_to_recordset($1) as asked (${ASKED})
    cross join lateral (${page.toSQL().sql}) page`

  const read = async (asked: Asked[]) => {
    const values = [JSON.stringify(asked.map((one, n) => ({ ...one, n })))]
    const pages: LinkRow[][] = asked.map(() => [])
    for (const row of await readValues(db, { name, text, values })) {
      pages[Number(row[0])]!.push(toRow(row))
    }
    return pages
  }
  return conditions.length > 1 ? async (asked: Asked) => (await read([asked]))[0]! : gather(read)
}
