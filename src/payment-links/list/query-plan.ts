// Which index leads through a list, and what is left to be looked at row by row.

import { type SQL, sql } from '../../database/drizzle.ts'
import { buildMinUuid, MAX_UUID, MIN_UUID } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { selectMatchIds } from '../../search/indexed.ts'
import type { SearchWords } from '../../search/tsquery.ts'
import { buildLinkConditions, IS_NOT_ARCHIVED, type LinkQuery } from './conditions.ts'

type LinkScanWindow = (count: number) => SQL

export type LinkQueryPlan = {
  /** The first so many links of the narrowest index. */
  scanRows: LinkScanWindow
  /** What each of them must still be. */
  conditions: SQL[]
  /** What the scan comes in the order of. */
  order: SQL
  /** The ids of the same links, in the same order. */
  scanIds: LinkScanWindow
  /** Nothing is left to be looked at: whatever the index leads to is wanted. */
  isExact: boolean
}

/** A request may be repeated for this long, and what it makes has the id of its first try. */
const LINK_ID_SKEW_MS = DAY_MS

export function planLinkQuery(wanted: LinkQuery): LinkQueryPlan {
  const { status, method, tag: tags = [], slug, externalReference, metadata } = wanted
  const [pair] = Object.entries(metadata ?? {})
  const { search } = wanted
  const named = [slug, externalReference, pair, search].some((one) => one !== undefined)
  const tag = named ? undefined : tags[0]
  const tagsLeft = named ? tags : tags.slice(1)
  const byStatus = !named && tag === undefined
  const byMethod = byStatus && status === undefined && method !== undefined
  // What fell due since the last sweep is still among the active ones.
  const isStatusCovered = byStatus && status !== 'active'
  const conditions = buildLinkConditions({
    ...wanted,
    tag: tagsLeft,
    method: byMethod ? undefined : method,
    isStatusCovered,
  })
  const isExact = conditions.length === 0
  return { ...planLead(wanted, { pair, tag, byMethod }), conditions, isExact }
}

/** The same words as the partial index of each list: Postgres recognises them by these. */
const IS_ACTIVE_OR_DUE = sql`status = 'active' and (expires_at is null or expires_at is distinct from expiry_told_for)`
const IS_EXPIRY_EMITTED = sql`status = 'active' and expires_at = expiry_told_for`
const IS_EXPIRY_PENDING = sql`status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null`

type LeadFilter = {
  pair: [key: string, value: string] | undefined
  tag: string | undefined
  byMethod: boolean
}

type LeadPlan = Omit<LinkQueryPlan, 'conditions' | 'isExact'>

function planLead(wanted: LinkQuery, { pair, tag, byMethod }: LeadFilter): LeadPlan {
  const { companyId, slug, externalReference, search, status, method } = wanted
  const own = { company_id: companyId }

  if (slug !== undefined) return planBySlug(wanted, slug)
  if (externalReference !== undefined) {
    const equal = { ...own, external_reference: externalReference }
    return planByColumns(equal, wanted, sql`external_reference is not null`)
  }
  if (search) return planBySearch(wanted, search)
  if (pair) return planByLabel(wanted, PAIR_INDEX, sql`metadata_pair(${pair[0]}, ${pair[1]})`)
  if (tag !== undefined) return planByLabel(wanted, TAG_INDEX, sql`${tag}`)
  // A literal: a parameter would not be recognised as the index's own condition.
  const word = sql.raw(`'${method}'`)
  if (byMethod)
    return planByColumns(own, wanted, sql`${IS_NOT_ARCHIVED} and methods @> array[${word}]`)
  if (status === undefined) return planByColumns(own, wanted, IS_NOT_ARCHIVED)
  if (status === 'active') return planByColumns(own, wanted, IS_ACTIVE_OR_DUE)
  if (status === 'expired') return planExpired(wanted)
  return planByColumns({ ...own, status }, wanted, sql`status <> 'active'`)
}

function planBySlug(wanted: LinkQuery, slug: string): LeadPlan {
  const link = sql`select * from payment_links where slug = ${slug} and company_id = ${wanted.companyId} and ${buildCursorCondition(wanted)}`
  const selectLink = () => link
  return { scanRows: selectLink, order: buildOrderBy(['id'], wanted), scanIds: selectLink }
}

/** What to look for, up to `limit` of them, where words lead from the newest on. */
export function toMatchQuery(wanted: LinkQuery, limit: number) {
  const { companyId, search, oldest, slug, externalReference } = wanted
  if (!search || oldest || slug !== undefined || externalReference !== undefined) return undefined
  const [above, below] = toLinkIdBounds(wanted)
  return { companyId, kind: 'link' as const, words: search, above, below, limit }
}

/** All that have the words are found, and only those that the page needs are read. */
function planBySearch(wanted: LinkQuery, words: SearchWords): LeadPlan {
  const { companyId, matched } = wanted
  const [start, end] = toLinkIdBounds(wanted)
  const order = buildOrderBy(['id'], wanted)
  const source = matched
    ? sql`unnest(${sql.param(matched)}::uuid[]) found (id)`
    : sql`(${selectMatchIds({ companyId, kind: 'link', words })}) found`
  const scanIds = (count: number) => sql`
    select id from ${source}
    where id < ${end} and id ${sql.raw(wanted.oldest ? '>' : '>=')} ${start} order by ${order} limit ${count}`
  return {
    scanRows: (count) => sql`
      select link.* from (${scanIds(count)}) found
      cross join lateral (select * from payment_links where id = found.id offset 0) link
      order by ${order}`,
    order,
    scanIds,
  }
}

function planByColumns(equal: EqualColumns, wanted: LinkQuery, condition: SQL): LeadPlan {
  const order = buildOrderBy([...Object.keys(equal), 'id'], wanted)
  const buildScan = (count: number) =>
    sql`from payment_links where ${buildIndexRange(equal, wanted)} and ${condition} order by ${order} limit ${count}`
  return {
    scanRows: (count) => sql`select * ${buildScan(count)}`,
    order,
    scanIds: (count) => sql`select id ${buildScan(count)}`,
  }
}

type LabelIndex = { table: SQL; label: string }

const TAG_INDEX: LabelIndex = { table: sql`payment_link_tags`, label: 'tag' }
const PAIR_INDEX: LabelIndex = { table: sql`payment_link_pairs`, label: 'pair' }

/** By way of the labels' own index, whose order the nested loop keeps; no plan reads every link. */
function planByLabel(wanted: LinkQuery, { table, label }: LabelIndex, value: SQL): LeadPlan {
  const equal = { company_id: wanted.companyId, [label]: value }
  const order = buildOrderBy(['tagged.company_id', label, 'link_id'], wanted)
  const scanLabelIds = (count: number) =>
    sql`select company_id, ${sql.raw(label)}, link_id, link_id as id from ${table}
      where ${buildIndexRange(equal, wanted, 'link_id')}
      order by ${buildOrderBy(['company_id', label, 'link_id'], wanted)} limit ${count}`
  return {
    scanRows: (count) => sql`
      select link.*, tagged.company_id as tag_company_id, ${sql.raw(label)}, link_id from (${scanLabelIds(count)}) tagged
      cross join lateral (select * from payment_links where id = link_id offset 0) link
      order by ${order}`,
    order: buildOrderBy(['tag_company_id', label, 'link_id'], wanted),
    scanIds: scanLabelIds,
  }
}

/** Those whose expiry was emitted are in order; what fell due since the last sweep is few, and joins them. */
function planExpired(wanted: LinkQuery): LeadPlan {
  const { companyId, now } = wanted
  const equal = { company_id: companyId }
  const { scanRows, order } = planByColumns(equal, wanted, IS_EXPIRY_EMITTED)
  const scanDueLinks = (count: number) => sql`
    select * from payment_links
    where (company_id, expires_at) <= (${companyId}, ${now.toISOString()})
      and (company_id, expires_at) > (${companyId}, '-infinity') and ${IS_EXPIRY_PENDING}
    order by company_id desc, expires_at desc limit ${count}`
  const scanExpiredLinks = (count: number) => sql`
    select * from (
      (${scanRows(count)})
      union all
      (select * from (${scanDueLinks(count)}) due where ${buildIndexRange(equal, wanted)} order by ${order})
    ) expired order by ${order} limit ${count}`
  return { scanRows: scanExpiredLinks, order, scanIds: scanExpiredLinks }
}

type EqualColumns = Record<string, string | SQL>

/**
 * A range of one index, said as its columns together: said one by one, the planner may scan the
 * primary key instead, past the links of everybody else.
 */
function buildIndexRange(equal: EqualColumns, wanted: LinkQuery, id = 'id'): SQL {
  const [start, end] = toLinkIdBounds(wanted)
  const columns = toSqlTuple([...Object.keys(equal), id].map((name) => sql.raw(name)))
  const toTupleWith = (bound: string) =>
    toSqlTuple([...Object.values(equal), bound].map((value) => sql`${value}`))
  const from = sql.raw(wanted.oldest ? '>' : '>=')
  return sql`${columns} < ${toTupleWith(end)} and ${columns} ${from} ${toTupleWith(start)}`
}

/** An id carries the time it was made: this is what lets the list of a day begin at that day. */
function toLinkIdBounds({
  cursor,
  oldest,
  createdFrom,
  createdTo,
}: LinkQuery): [start: string, end: string] {
  const from =
    createdFrom === undefined ? MIN_UUID : buildMinUuid(Date.parse(createdFrom) - LINK_ID_SKEW_MS)
  const to = createdTo === undefined ? MAX_UUID : buildMinUuid(Date.parse(createdTo) + 1)
  return oldest ? [from > cursor ? from : cursor, to] : [from, to < cursor ? to : cursor]
}

/** Past the page before, in the order of the list. */
export function buildCursorCondition({
  cursor,
  oldest,
}: Pick<LinkQuery, 'cursor' | 'oldest'>): SQL {
  return oldest ? sql`id > ${cursor}` : sql`id < ${cursor}`
}

function toSqlTuple(items: SQL[]): SQL {
  return sql`(${sql.join(items, sql`, `)})`
}

function buildOrderBy(columns: string[], { oldest }: LinkQuery): SQL {
  return sql.raw(columns.map((column) => (oldest ? column : `${column} desc`)).join(', '))
}
