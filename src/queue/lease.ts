// A claim is a lease: the row's due time is moved past it, so that no other worker finds the row due, and no lock
// outlives a transaction. The lease of a dead worker expires. Each write requires the number of the attempt, so a
// worker with an old claim changes nothing.
import type { Db } from '../database/connect.ts'
import { type PgColumn, type PgTable, type SQL, sql } from '../database/drizzle.ts'
import { addDelay } from '../database/instant.ts'
import type { NotifyChannel } from '../database/listen.ts'

/** Longer than an attempt and the recording of its outcome take together. */
export const LEASE_MS = 60_000

/** `attempt`: the number of the attempt, from 1. */
export type Claim = { id: string; attempt: number }

/** A table with a queue's columns `attempts` and `due_at`. */
export type QueueTable = {
  name: 'mails' | 'webhook_deliveries'
  /** Null unless the row is claimed; `due_at` where only the holder of a claim writes to a due row. */
  leaseColumn: 'due_at' | 'leased_until'
  /** The channel that wakes its workers. */
  channel?: NotifyChannel
}

export function getLeaseEnd(now: Date) {
  return addDelay(now, LEASE_MS)
}

/** Whether the row is still claimed for this attempt. */
export function ownsLease({ leaseColumn }: QueueTable, { id, attempt }: Claim): SQL {
  return sql`id = ${id} and attempts = ${attempt} and ${sql.raw(leaseColumn)} is not null`
}

/**
 * Releases a claim that was interrupted: the row is due at once, and the attempt does not count. The caller must not
 * write to the row afterwards, since the next attempt gets the same number.
 */
export async function releaseClaim(db: Db, queue: QueueTable, claim: Claim, now: Date) {
  const { name, leaseColumn, channel } = queue
  await db.execute(sql`
    update ${sql.raw(name)} set attempts = attempts - 1, due_at = ${now.toISOString()}
      ${leaseColumn === 'due_at' ? sql`` : sql`, leased_until = null`}
    where ${ownsLease(queue, claim)}
    returning ${channel ? sql`pg_notify(${channel}, '')` : sql`id`}`)
}

/**
 * Selects the ids of due rows of `table`, to claim them in the same statement; `which` limits and sorts them. Rows that
 * another process is claiming are skipped.
 */
export function selectDueIds(
  table: PgTable & { id: PgColumn },
  dueAt: PgColumn,
  now: Date,
  which: SQL,
) {
  return sql`(select ${table.id} from ${table}
    where ${dueAt} <= ${now.toISOString()}::timestamptz ${which} for update skip locked)`
}
