// Says what a long statement of a migration is at, once a second, while it runs: how far the building of an
// index is, by Postgres's own word, and else only for how long it has been going on.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const WATCH_INTERVAL_MS = 1_000

type WatchedStatement = {
  url: string
  /** Of the session that runs it. */
  pid: number
  /** Which it is, as the beginning of what is said. */
  label: string
  onProgress: (progress: string) => void
}

export async function watchStatement<T>(
  statement: WatchedStatement,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const watching = reportUntil(over.signal, statement)
  try {
    return await work()
  } finally {
    over.abort()
    await watching
  }
}

async function reportUntil(signal: AbortSignal, { url, pid, label, onProgress }: WatchedStatement) {
  const startedAt = performance.now()
  let client: pg.Client | undefined
  while (await sleep(WATCH_INTERVAL_MS, true, { signal }).catch(() => false)) {
    client ??= await connectWatcher(url)
    const build = client && (await readIndexBuild(client, pid))
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    onProgress(`${label}${build ? `: ${build}` : ''} (${seconds} s)`)
  }
  await client?.end().catch(() => {})
}

/** Undefined where there is no connection left for it: then it is watched by the clock. */
async function connectWatcher(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

type IndexBuild = { phase: string; done: number; total: number }

async function readIndexBuild(client: pg.Client, pid: number) {
  const read = client.query<IndexBuild>(INDEX_BUILD_SQL, [pid])
  const build = await read.then(({ rows }) => rows[0]).catch(() => undefined)
  if (!build) return undefined
  const { phase, done, total } = build
  return total > 0 ? `${phase}, ${Math.floor((done / total) * 100)} %` : phase
}

const INDEX_BUILD_SQL = `
select phase,
  (case when phase like 'waiting%' then lockers_done when blocks_total > 0 then blocks_done else tuples_done end)::float8 as done,
  (case when phase like 'waiting%' then lockers_total when blocks_total > 0 then blocks_total else tuples_total end)::float8 as total
from pg_stat_progress_create_index where pid = $1`
