// Changes of what came in are added to the sums of their days: by one process at a time, a batch in one
// statement, so that whoever reads sees each change once, in its day or by itself.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { REVENUE_FOLD_LOCK } from '../database/locks.ts'
import { runInterval } from '../queue/interval.ts'
import { DAILY_SUMS, type DailySums } from './daily-sums.ts'

type FoldNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'> }

const FOLD_INTERVAL_MS = 5_000
const FOLD_BATCH_SIZE = 2_000

/** The answer stops it. */
export function startRevenueFold({ db, log }: FoldNeeds) {
  const failure = 'what came in cannot be summed by day for now'
  return runInterval({ intervalMs: FOLD_INTERVAL_MS, log, failure }, async () => {
    return (await foldRevenue(db, FOLD_BATCH_SIZE)) === FOLD_BATCH_SIZE
  })
}

/** How many changes were folded: none while another process is at it. */
export async function foldRevenue(db: Database, batchSize: number): Promise<number> {
  return db.transaction(async (tx) => {
    const lock = sql`select pg_try_advisory_xact_lock(${REVENUE_FOLD_LOCK}) as taken`
    const { rows: locks } = await tx.execute<{ taken: boolean }>(lock)
    if (!requireFound(locks[0]).taken) return 0
    const { rows } = await tx.execute<{ count: number }>(sql`
      with taken as (
        delete from revenue_changes
        where ctid = any(array(select ctid from revenue_changes limit ${batchSize}))
        returning *
      ), ${sql.join(DAILY_SUMS.map(addToDays), sql`, `)}
      select count(*)::int as count from taken`)
    return requireFound(rows[0]).count
  })
}

/** A query for a `with`, in the order of the key. */
function addToDays({ table, key, sums, selectEntries }: DailySums): SQL {
  const summed = sums.map((name) => `sum(${name})`)
  const added = sums.map((name) => `${name} = kept.${name} + excluded.${name}`)
  return sql`${sql.raw(`${table}_added`)} as (
    insert into ${sql.raw(`${table} as kept (${key}, ${sums.join(', ')})`)}
    select ${sql.raw(`${key}, ${summed.join(', ')}`)} from (${selectEntries(sql`taken`)}) entry
    group by ${sql.raw(key)}
    on conflict (${sql.raw(key)}) do update set ${sql.raw(added.join(', '))}
  )`
}
