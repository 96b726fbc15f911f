// A claim is a lease: the row's due time is pushed past it, so that nobody else finds the row due, no lock
// outlives a transaction, and whoever dies holding a claim lets it run out. The attempt's number fences
// every later write, so that whoever comes late changes nothing.
import type { Db } from '../database/connect.ts'
import type { NotifyChannel } from '../database/listen.ts'
import { runNamedStatement } from '../database/statement.ts'

/** Longer than an attempt may take by what it may take to record its outcome. */
export const LEASE_MS = 60_000

/** `attempt`: the number of the attempt that the claim allows, from 1. */
export type Claim = { id: string; attempt: number }

/** A table whose `attempts` and `due_at` are those of a queue. */
export type QueueTable = {
  name: 'mails' | 'webhook_deliveries'
  /** Null unless the row is claimed; `due_at` where what is due is never written about. */
  leaseColumn: 'due_at' | 'leased_until'
  /** What wakes its workers. */
  channel?: NotifyChannel
}

export function getLeaseEnd(now: Date) {
  return new Date(now.getTime() + LEASE_MS).toISOString()
}

/** The SQL of the fence: `$1` is the row's id, `$2` the number of the attempt. */
export function ownsLease({ leaseColumn }: QueueTable) {
  return `id = $1 and attempts = $2 and ${leaseColumn} is not null`
}

/**
 * Gives back what was claimed and not tried to the end: it is due at once, and the attempt was none. The
 * caller writes nothing more about it, for its number will be given again.
 */
export async function releaseClaim(db: Db, queue: QueueTable, { id, attempt }: Claim, now: Date) {
  const { name, leaseColumn, channel } = queue
  const text = `
update ${name} set attempts = attempts - 1, due_at = $3
  ${leaseColumn === 'due_at' ? '' : `, ${leaseColumn} = null`}
where ${ownsLease(queue)}
returning ${channel ? `pg_notify('${channel}', '')` : 'id'}`
  await runNamedStatement(db, `release_${name}`, text, [id, attempt, now.toISOString()])
}
