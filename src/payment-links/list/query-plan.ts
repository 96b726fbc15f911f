// Which index leads through a list, and what is left to be looked at row by row.
import { type SQL, sql } from '../../database/drizzle.ts'
import type { LinkStatus } from '../../database/enums.ts'
import type { LinkFilters } from '../schema.ts'

export type Wanted = LinkFilters & {
  companyId: string
  /** The id that the last page ended with. */
  cursor: string
  /** The oldest first. */
  oldest: boolean
  now: Date
  slug?: string
}

type Stretch = (count: number) => SQL

export type Narrowed = {
  /** The first so many links of the narrowest index. */
  stretchOf: Stretch
  /** What each of them must still be. */
  rest: SQL[]
  /** What the stretch comes in the order of. */
  order: SQL
  /** The ids of the same links, in the same order. */
  idsOf: Stretch
  /** Nothing is left to be looked at: whatever the index leads to is wanted. */
  exact: boolean
}

/** A request may be repeated for this long, and what it makes has the id of its first try. */
const IDS_AHEAD_MS = 24 * 3600 * 1000

export function narrow(wanted: Wanted): Narrowed {
  const { status, method, tag: tags = [], slug, externalReference } = wanted
  const named = slug !== undefined || externalReference !== undefined
  const tag = named ? undefined : tags[0]
  const tagsLeft = named ? tags : tags.slice(1)
  const byStatus = !named && tag === undefined
  const byMethod = byStatus && status === undefined && method !== undefined
  // What fell due since the last sweep is still among the active ones.
  const led = byStatus && status !== 'active'
  const rest = conditionsOf({
    ...wanted,
    tag: tagsLeft,
    method: byMethod ? undefined : method,
    status: led ? LED : status,
  })
  return { ...leading(wanted, { tag, byMethod }), rest, exact: rest.length === 0 }
}

/** What a single row must be to be wanted, but for its company and its place in the list. */
export function conditionsOf({
  status,
  method,
  tag: tags = [],
  q,
  createdFrom,
  createdTo,
  now,
  ...named
}: Omit<Wanted, 'status'> & { status?: Wanted['status'] | typeof LED }): SQL[] {
  return [
    ...(status === LED ? [] : [statusIs(status, now)]),
    ...(method === undefined ? [] : [sql`methods @> array[${method}]::text[]`]),
    ...(tags.length > 0 ? [sql`tags @> ${sql.param(tags)}::text[]`] : []),
    ...(createdFrom === undefined ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdTo === undefined ? [] : [sql`created_at <= ${createdTo}`]),
    ...(q === undefined ? [] : [titleHas(q)]),
    ...(named.externalReference === undefined
      ? []
      : [sql`external_reference = ${named.externalReference}`]),
  ]
}

export function titleHas(q: string): SQL {
  const part = q.replace(/[\\%_]/g, '\\$&')
  return sql`fold(title) like '%' || fold(${part}) || '%'`
}

/** The index that leads has seen to the status. */
const LED = Symbol('led')

/** The same words as the partial index of each list: Postgres recognises them by these. */
const LIVE = sql`status <> 'archived'`
const OPEN = sql`status = 'active' and (expires_at is null or expires_at is distinct from expiry_told_for)`
const TOLD = sql`status = 'active' and expires_at = expiry_told_for`
const UNTOLD = sql`status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null`

type Lead = { tag: string | undefined; byMethod: boolean }

type Leading = Omit<Narrowed, 'rest' | 'exact'>

function leading(wanted: Wanted, { tag, byMethod }: Lead): Leading {
  const { companyId, slug, externalReference, status, method } = wanted
  const own = { company_id: companyId }

  if (slug !== undefined) return named(wanted, slug)
  if (externalReference !== undefined) {
    const equal = { ...own, external_reference: externalReference }
    return links(equal, wanted, sql`external_reference is not null`)
  }
  if (tag !== undefined) return tagged(wanted, tag)
  // A literal: a parameter would not be recognised as the index's own condition.
  const word = sql.raw(`'${method}'`)
  if (byMethod) return links(own, wanted, sql`${LIVE} and methods @> array[${word}]`)
  if (status === undefined) return links(own, wanted, LIVE)
  if (status === 'active') return links(own, wanted, OPEN)
  if (status === 'expired') return expired(wanted)
  return links({ ...own, status }, wanted, sql`status <> 'active'`)
}

function named(wanted: Wanted, slug: string): Leading {
  const link = sql`select * from payment_links where slug = ${slug} and company_id = ${wanted.companyId} and ${isBeyond(wanted)}`
  const stretchOf = () => link
  return { stretchOf, order: ordered(['id'], wanted), idsOf: stretchOf }
}

function links(equal: Equal, wanted: Wanted, condition: SQL): Leading {
  const order = ordered([...Object.keys(equal), 'id'], wanted)
  const found = (count: number) =>
    sql`from payment_links where ${within(equal, wanted)} and ${condition} order by ${order} limit ${count}`
  return {
    stretchOf: (count) => sql`select * ${found(count)}`,
    order,
    idsOf: (count) => sql`select id ${found(count)}`,
  }
}

/** By way of the labels' own index, whose order the nested loop keeps; no plan reads every link. */
function tagged(wanted: Wanted, tag: string): Leading {
  const equal = { company_id: wanted.companyId, tag }
  const order = ordered(['tagged.company_id', 'tag', 'link_id'], wanted)
  const ids = (count: number) =>
    sql`select company_id, tag, link_id, link_id as id from payment_link_tags
      where ${within(equal, wanted, 'link_id')}
      order by ${ordered(['company_id', 'tag', 'link_id'], wanted)} limit ${count}`
  return {
    stretchOf: (count) => sql`
      select link.*, tagged.company_id as tag_company_id, tag, link_id from (${ids(count)}) tagged
      cross join lateral (select * from payment_links where id = link_id offset 0) link
      order by ${order}`,
    order: ordered(['tag_company_id', 'tag', 'link_id'], wanted),
    idsOf: ids,
  }
}

/** Those whose expiry was told are in order; what fell due since the last sweep is few, and joins them. */
function expired(wanted: Wanted): Leading {
  const { companyId, now } = wanted
  const equal = { company_id: companyId }
  const { stretchOf: told, order } = links(equal, wanted, TOLD)
  const due = (count: number) => sql`
    select * from payment_links
    where (company_id, expires_at) <= (${companyId}, ${now.toISOString()})
      and (company_id, expires_at) > (${companyId}, '-infinity') and ${UNTOLD}
    order by company_id desc, expires_at desc limit ${count}`
  const stretchOf = (count: number) => sql`
    select * from (
      (${told(count)})
      union all
      (select * from (${due(count)}) due where ${within(equal, wanted)} order by ${order})
    ) expired order by ${order} limit ${count}`
  return { stretchOf, order, idsOf: stretchOf }
}

type Equal = Record<string, string>

/**
 * A stretch of one index, said as its columns together: said one by one, the planner may walk the
 * primary key instead, past the links of everybody else.
 */
function within(equal: Equal, wanted: Wanted, id = 'id'): SQL {
  const [start, end] = boundsOf(wanted)
  const columns = list([...Object.keys(equal), id].map((name) => sql.raw(name)))
  const at = (bound: string) => list([...Object.values(equal), bound].map((value) => sql`${value}`))
  const from = sql.raw(wanted.oldest ? '>' : '>=')
  return sql`${columns} < ${at(end)} and ${columns} ${from} ${at(start)}`
}

/** An id carries the time it was made: this is what lets the list of a day begin at that day. */
function boundsOf({
  cursor,
  oldest,
  createdFrom,
  createdTo,
}: Wanted): [start: string, end: string] {
  const from = createdFrom === undefined ? FIRST : idAt(Date.parse(createdFrom) - IDS_AHEAD_MS)
  const to = createdTo === undefined ? LAST : idAt(Date.parse(createdTo) + 1)
  return oldest ? [from > cursor ? from : cursor, to] : [from, to < cursor ? to : cursor]
}

/** Past the page before, in the order of the list. */
export function isBeyond({ cursor, oldest }: Pick<Wanted, 'cursor' | 'oldest'>): SQL {
  return oldest ? sql`id > ${cursor}` : sql`id < ${cursor}`
}

/** Before and after all ids. */
export const FIRST = '00000000-0000-0000-0000-000000000000'
export const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function list(items: SQL[]): SQL {
  return sql`(${sql.join(items, sql`, `)})`
}

function ordered(columns: string[], { oldest }: Wanted): SQL {
  return sql.raw(columns.map((column) => (oldest ? column : `${column} desc`)).join(', '))
}

function statusIs(status: LinkStatus | undefined, now: Date): SQL {
  const at = now.toISOString()
  switch (status) {
    case undefined:
      return LIVE
    case 'active':
      return sql`status = 'active' and (expires_at is null or expires_at > ${at})`
    case 'expired':
      return sql`status = 'active' and expires_at <= ${at}`
    default:
      return sql`status = ${status}`
  }
}

/** The lowest UUIDv7 of a millisecond. */
function idAt(ms: number) {
  const time = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
