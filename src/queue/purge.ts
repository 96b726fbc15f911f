// Deletes old rows every hour, in small batches with pauses, so that other work does not wait. Several processes may
// purge at once: each skips the rows that another has locked.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Retention } from '../config.ts'
import type { Database, Db } from '../database/connect.ts'
import { type PgColumn, type PgTable, type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { buildMinUuid, MIN_UUID } from '../database/id.ts'
import { addDelay, DAY_MS, HOUR_MS } from '../database/instant.ts'
import { runInterval, type WorkNeeds } from './interval.ts'
import { trackOutage } from './outage-log.ts'

export type PurgeResult =
  | { kind: 'done' }
  /** There may be more rows: after `after`, for a table that also has old rows to keep. */
  | { kind: 'more'; after?: string }

export type PurgeOptions = {
  retention: Retention
  /** The id at which the previous batch ended. */
  after?: string | undefined
}

/** Deletes one batch of the rows that are old at `now`. */
export type PurgeBatch = (db: Database, now: Date, options: PurgeOptions) => Promise<PurgeResult>

const PURGE_INTERVAL_MS = HOUR_MS
export const PURGE_BATCH_SIZE = 500
const BATCH_PAUSE_MS = 100
/** The id of a row may be this much younger than its creation time. */
const ID_SKEW_MS = HOUR_MS

/** Purges one kind of rows after the other until stopped. While a kind fails, the log has its name. */
export function startPurge(
  { db, log, now, retention }: WorkNeeds & { retention: Retention },
  purges: Record<string, PurgeBatch>,
) {
  const kinds = Object.entries(purges).map(([what, purgeBatch]) => {
    const failure = `old ${what} cannot be purged for now`
    return { purgeBatch, ...trackOutage((err) => log.warn({ err }, failure)) }
  })
  let [turn, after]: [number, string | undefined] = [0, undefined]
  const failure = 'old rows cannot be purged for now'

  return runInterval({ intervalMs: PURGE_INTERVAL_MS, log, failure }, async () => {
    const { purgeBatch, noteSuccess, noteFailure } = requireFound(kinds[turn])
    const purging = purgeBatch(db, now(), { retention, after })
    const purged = (await purging.then(noteSuccess, noteFailure)) ?? { kind: 'done' }
    after = purged.kind === 'more' ? purged.after : undefined
    if (purged.kind === 'done') turn = (turn + 1) % kinds.length
    if (purged.kind === 'done' && turn === 0) return false
    await sleep(BATCH_PAUSE_MS)
    return true
  })
}

export function getRetentionStart(now: Date, days: number) {
  return addDelay(now, -days * DAY_MS)
}

/** Deletes one batch of the rows that match `old`; the condition needs an index. */
export async function purgeRows(
  db: Db,
  table: PgTable,
  old: SQL | undefined,
): Promise<PurgeResult> {
  const { rowCount } = await db.delete(table).where(sql`ctid = any(array(
    select ctid from ${table} where ${old} limit ${PURGE_BATCH_SIZE} for update skip locked))`)
  return { kind: (rowCount ?? 0) < PURGE_BATCH_SIZE ? 'done' : 'more' }
}

type AgedTable = PgTable & { id: PgColumn; createdAt: PgColumn }

type AgedRows = {
  /** Rows created from this instant on stay. */
  start: string
  /** Older rows are deleted only when this condition is true. */
  isOver?: SQL
  after?: string | undefined
}

/** Purges one batch of a table in the order of its ids, which contain the age of the rows. */
export async function purgeAgedRows(
  db: Database,
  table: AgedTable,
  aged: AgedRows,
): Promise<PurgeResult> {
  const { rows } = await db.execute<WalkedRows>(sql`
    with ${selectAgedRows(table, aged)},
    gone as (delete from ${table} where id in (select id from old))
    ${COUNT_WALKED_SQL}`)
  return toPurgeResult(rows)
}

export type WalkedRows = { walked: number; last: string | null }

/** Builds two queries for a `with`: the batch of `walked` rows, and the `old` ones among them, locked. */
export function selectAgedRows(table: AgedTable, { start, isOver = sql`true`, after }: AgedRows) {
  const bound = buildMinUuid(Date.parse(start) + ID_SKEW_MS)
  return sql`
    walked as materialized (
      select id, created_at < ${start}::timestamptz and ${isOver} as is_over from ${table}
      where id > ${after ?? MIN_UUID}::uuid and id < ${bound}::uuid
      order by id limit ${PURGE_BATCH_SIZE}
    ),
    old as materialized (
      select id from ${table} where id = any(array(select id from walked where is_over))
      for update skip locked
    )`
}

/** Completes that statement: counts the rows and returns the last id. */
export const COUNT_WALKED_SQL = sql`
  select count(*)::int as walked, (array_agg(id order by id desc))[1] as last from walked`

export function toPurgeResult(rows: WalkedRows[]): PurgeResult {
  const { walked, last } = requireFound(rows[0])
  if (walked < PURGE_BATCH_SIZE || last === null) return { kind: 'done' }
  return { kind: 'more', after: last }
}
