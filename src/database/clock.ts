// The time, by the database's clock: one for all processes, or what one of them leases would be due to another at
// once, and what it signs be refused. It goes on by our own steady clock, and is set right where the database's
// answer proves that it is off, however long that answer took.
import { toError } from '../system-error.ts'
import type { Database } from './connect.ts'
import { sql } from './drizzle.ts'
import { requireFound } from './found.ts'
import { SECOND_MS } from './instant.ts'

const SYNC_INTERVAL_MS = 5 * SECOND_MS

type Clock = {
  now(): Date
  /** Asks the database. */
  sync(): Promise<void>
  /** Goes on asking, until the answer is called. */
  keepSynced(onError: (error: Error) => void): () => Promise<void>
}

type ClockSources = { getSteadyMs: () => number; getWallMs: () => number }

const OWN: ClockSources = { getSteadyMs: () => performance.now(), getWallMs: Date.now }

/** This machine's own time until the database was asked. */
export function openClock(db: Database, { getSteadyMs, getWallMs } = OWN): Clock {
  let offsetMs = getWallMs() - getSteadyMs()

  return {
    now: () => new Date(offsetMs + getSteadyMs()),
    sync,
    keepSynced(onError) {
      const timer = setInterval(() => {
        sync().catch((error) => onError(toError(error)))
      }, SYNC_INTERVAL_MS)
      return async () => clearInterval(timer)
    },
  }

  async function sync() {
    const askedAt = getSteadyMs()
    const theirs = await readDatabaseMs(db)
    const answeredAt = getSteadyMs()
    const measured = theirs - (askedAt + answeredAt) / 2
    if (Math.abs(measured - offsetMs) > (answeredAt - askedAt) / 2) offsetMs = measured
  }
}

async function readDatabaseMs(db: Database) {
  const { rows } = await db.execute<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  )
  return requireFound(rows[0]).ms
}
