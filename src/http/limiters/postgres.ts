// Counts in Postgres, for all processes, while Redis is gone: one row for each window, which says when what
// was let through, by the database's clock. The table is not logged: a crash of Postgres forgets it.
import type { Database } from '../../database/connect.ts'
import { requireFound } from '../../database/found.ts'
import { runNamedStatement } from '../../database/statement.ts'
import type { Limit, LimitCount } from '../limiter.ts'
import type { CountedWindow } from './memory.ts'

/** One that several processes count in. */
export type SharedCounter = {
  countHit(key: string, limit: Limit, what: string): Promise<LimitCount>
  undoHit(key: string): Promise<void>
  /** Takes over what was let through while others counted; what it knows already counts once. */
  addWindows(windows: CountedWindow[], at: number): Promise<void>
}

const SEED_BATCH_SIZE = 500

type CountRow = { counted: boolean; current: number; oldest: number; at: number }

export function createPostgresCounter(db: Database): SharedCounter {
  return {
    async countHit(key, { max, windowMs }, what) {
      const values = [key, what, max, windowMs]
      const rows = await runNamedStatement<CountRow>(db, 'count_hit', COUNT_HIT_SQL, values)
      const { counted, current, oldest, at } = requireFound(rows[0])
      const retryAfterMs = counted ? windowMs : Math.ceil(oldest + windowMs - at)
      return { exceeded: !counted, current, retryAfterMs }
    },
    async undoHit(key) {
      await runNamedStatement(db, 'undo_hit', UNDO_HIT_SQL, [key])
    },
    async addWindows(windows, at) {
      for (let from = 0; from < windows.length; from += SEED_BATCH_SIZE) {
        const batch = windows.slice(from, from + SEED_BATCH_SIZE).map((one) => toSeed(one, at))
        await runNamedStatement(db, 'add_windows', ADD_WINDOWS_SQL, [JSON.stringify(batch)])
      }
    },
  }
}

/** By age, since no two clocks are the same. */
function toSeed({ key, windowMs, hits }: CountedWindow, at: number) {
  return { key, windowMs, ages: Object.fromEntries(hits.map((hit) => [hit.what, at - hit.at])) }
}

const CLOCK_SQL = `clock as (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at
)`

// Whoever waits for the row sees what was counted meanwhile: an update on conflict reads it again.
const COUNT_HIT_SQL = `
with ${CLOCK_SQL}
insert into limiter_windows as counted (key, hits, expires_at)
select $1, jsonb_build_object($2::text, clock.at), to_timestamp((clock.at + $4::bigint) / 1000.0)
from clock
on conflict (key) do update set
  hits = (
    select case
      when live.hits ? $2::text or live.count >= $3::int then live.hits
      else live.hits || excluded.hits
    end
    from (
      select coalesce(jsonb_object_agg(hit.what, hit.at::bigint), '{}') as hits, count(*) as count
      from jsonb_each_text(counted.hits) as hit (what, at)
      where hit.at::bigint > (excluded.hits ->> $2::text)::bigint - $4::bigint
    ) live
  ),
  expires_at = excluded.expires_at
returning hits ? $2::text as counted,
  (select count(*)::int from jsonb_object_keys(hits)) as current,
  (select min(hit.at::float8) from jsonb_each_text(hits) as hit (what, at)) as oldest,
  (select clock.at::float8 from clock) as at`

const UNDO_HIT_SQL = `
update limiter_windows set hits = hits - (
  select hit.what from jsonb_each_text(hits) as hit (what, at) order by hit.at::bigint desc limit 1
)
where key = $1 and hits <> '{}'`

// In the order of the keys, so that no two processes wait for each other.
const ADD_WINDOWS_SQL = `
with ${CLOCK_SQL}
insert into limiter_windows as counted (key, hits, expires_at)
select seed.key,
  (
    select jsonb_object_agg(hit.what, clock.at - hit.age::bigint)
    from jsonb_each_text(seed.ages) as hit (what, age)
  ),
  to_timestamp((clock.at + seed."windowMs") / 1000.0)
from clock, jsonb_to_recordset($1::jsonb) as seed (key text, "windowMs" bigint, ages jsonb)
order by seed.key
on conflict (key) do update set
  hits = excluded.hits || counted.hits,
  expires_at = greatest(counted.expires_at, excluded.expires_at)`
