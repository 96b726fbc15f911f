// Checks that the database can be written: it writes a row, which a read-only standby refuses; a temporary file, which
// a full disk refuses even if a row still fits into an existing page; and it connects, which a database that is
// stopping refuses.
import type { Database, Transaction } from './connect.ts'
import { sql } from './drizzle.ts'
import { installation } from './tables.ts'

const PROBE_NAME = 'write_probe'
/** The shortest time between two probes. */
const PROBE_INTERVAL_MS = 2_000
/** More rows than the smallest `work_mem` holds, so that Postgres writes a temporary file. */
const SPILLED_ROWS = 10_000

/** Returns a check that throws while nothing can be written, with a delay of up to two seconds. */
export function createWriteProbe(
  db: Database,
  getNowMs = () => performance.now(),
): () => Promise<void> {
  let probedAt = Number.NEGATIVE_INFINITY
  let latest = Promise.resolve()

  return () => {
    const nowMs = getNowMs()
    if (nowMs - probedAt >= PROBE_INTERVAL_MS) {
      probedAt = nowMs
      latest = probeWrite(db)
    }
    return latest
  }
}

async function probeWrite(db: Database) {
  await db.probeConnection()
  await db.transaction(writeProbeRow)
}

export async function writeProbeRow(tx: Transaction) {
  await tx
    .insert(installation)
    .values({ name: PROBE_NAME, value: '' })
    .onConflictDoUpdate({ target: installation.name, set: { createdAt: sql`now()` } })
  await tx.execute(sql`set local work_mem = '64kB'`)
  await tx.execute(sql`select count(*) from generate_series(1, ${sql.raw(`${SPILLED_ROWS}`)})`)
}
