// Whether the database can be written, by writing: a row, which a read-only standby refuses, and a file
// that has to grow, which a full disk refuses even where a row still finds room in a page that is there;
// and by connecting, which one refuses that only waits for the connections it has.
import type { Database, Transaction } from './connect.ts'
import { sql } from './drizzle.ts'
import { installation } from './tables.ts'

const PROBE_NAME = 'write_probe'
/** However often it is asked for. */
const PROBE_INTERVAL_MS = 2_000
/** More than the least `work_mem` holds, so that it goes to a temporary file. */
const SPILLED_ROWS = 10_000

/** What it answers throws, for at most two seconds longer than it is so, when nothing can be written. */
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
