// What will hurt next in Postgres: each as one statement, and a judgement of the figures that it brings.
import type { QueryResultRow } from 'pg'
import { POOL_SIZE } from '../../database/connect.ts'
import { requireFound } from '../../database/found.ts'
import { LISTENER_NAME } from '../../database/listen.ts'
import { type DoctorCheck, type Finding, reportOk, reportWarning } from './finding.ts'

/** Fewer do no harm, whatever share of a table they are. */
const MIN_STALE_ROWS = 10_000
/** Twice what autovacuum waits for. */
const MAX_STALE_RATIO = 0.4
/** Autovacuum begins at 200 million, whatever else is to do; at two billion Postgres writes no more. */
const MAX_XID_AGE = 500_000_000
const MAX_CONNECTION_RATIO = 0.8

/** Of another role's sessions a plain owner is not told the kind; Postgres' own lack a user or a database. */
const IS_CONNECTION = `coalesce(backend_type, 'client backend') = 'client backend'
  and usesysid is not null and datid is not null`

type Named = { names: string | null; count: number }
type Rows = { name: string; live: number; stale: number; last: string | null }
type Connections = { used: number; available: number; ours: number; processes: number }

/** In the order in which they are told. */
export const OUTLOOK_CHECKS: DoctorCheck[] = [
  defineCheck(
    'size',
    `
    select pg_size_pretty(pg_database_size(current_database())) as total,
      string_agg(format('%s %s', relname, pg_size_pretty(bytes)), ', ' order by bytes desc) as biggest,
      (select pg_size_pretty(pg_database_size(current_database()) * newest.count / greatest(all_events.count, newest.count, 1))
        from (
          select count(*) from (
            select from events where created_at >= now() - interval '7 days'
              and id >= (lpad(to_hex((extract(epoch from now() - interval '8 days') * 1000)::bigint), 12, '0')
                || '00000000000000000000')::uuid
            limit 1000000
          ) week
        ) newest,
        (select reltuples::bigint as count from pg_class where oid = 'events'::regclass) all_events
      ) as week
    from (
      select relname, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by bytes desc limit 3
    ) biggest`,
    judgeSize,
  ),
  defineCheck(
    'dead rows',
    `
    select relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as stale,
      to_char(greatest(last_vacuum, last_autovacuum), 'YYYY-MM-DD') as last
    from pg_stat_user_tables where n_dead_tup >= ${MIN_STALE_ROWS}
    order by n_dead_tup / greatest(n_live_tup, 1)::float8 desc limit 1`,
    judgeDeadRows,
  ),
  defineCheck(
    'statistics',
    `
    select relname as name, n_live_tup::float8 as live, n_mod_since_analyze::float8 as stale,
      to_char(greatest(last_analyze, last_autoanalyze), 'YYYY-MM-DD') as last
    from pg_stat_user_tables where n_mod_since_analyze >= ${MIN_STALE_ROWS}
    order by n_mod_since_analyze / greatest(n_live_tup, 1)::float8 desc limit 1`,
    judgeStatistics,
  ),
  defineCheck(
    'transaction ids',
    `select age(datfrozenxid)::float8 as age from pg_database where datname = current_database()`,
    judgeXidAge,
  ),
  defineCheck(
    'indexes',
    `
    select string_agg(indexrelid::regclass::text, ', ' order by indexrelid) as names, count(*)::int
    from pg_index
    where not indisvalid and not exists (
      select from pg_stat_progress_create_index made
      where made.datname = current_database() and made.index_relid = indexrelid
    )`,
    judgeInvalidIndexes,
  ),
  defineCheck(
    'constraints',
    `
    select string_agg(format('%s of %s', conname, conrelid::regclass), ', ' order by conname) as names,
      count(*)::int
    from pg_constraint where not convalidated and connamespace = 'public'::regnamespace`,
    judgeUncheckedConstraints,
  ),
  defineCheck(
    'connections',
    `
    select count(*) filter (where ${IS_CONNECTION})::int as used,
      count(*) filter (where datname = current_database() and application_name like 'vintem%')::int as ours,
      count(*) filter (where datname = current_database() and application_name = '${LISTENER_NAME}')::int
        as processes,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        as available
    from pg_stat_activity`,
    judgeConnections,
  ),
]

type Size = { total: string; biggest: string; week: string }

function judgeSize(row: Size | undefined): Finding {
  const { total, biggest, week } = requireFound(row)
  return reportOk(
    `size: the database takes ${total}, most of it ${biggest}; about ${week} of it came in the last 7 days`,
  )
}

export function judgeDeadRows(rows: Rows | undefined): Finding {
  if (!rows || !isStale(rows)) return reportOk('dead rows: no table is slowed down by them')
  const { name, stale, live, last } = rows
  return reportWarning(
    `dead rows: ${name} has ${stale} beside ${live} that live, ${formatLast('vacuumed', last)}`,
    `run VACUUM (ANALYZE) ${name}, and see what keeps autovacuum from it, such as a transaction left open`,
  )
}

export function judgeStatistics(rows: Rows | undefined): Finding {
  if (!rows || !isStale(rows)) return reportOk('statistics: Postgres knows its tables')
  const { name, stale, live, last } = rows
  return reportWarning(
    `statistics: ${stale} of ${live} rows of ${name} changed since it was looked at, ${formatLast('analyzed', last)}`,
    `run ANALYZE ${name}, and see that autovacuum is on`,
  )
}

export function judgeXidAge(row: { age: number } | undefined): Finding {
  const { age } = requireFound(row)
  const what = `transaction ids: the oldest is ${Math.round(age / 1_000_000)} million old`
  if (age < MAX_XID_AGE) return reportOk(what)
  return reportWarning(
    `${what}, and at 2,000 million Postgres writes no more`,
    'run VACUUM (FREEZE) by night, and see what keeps autovacuum from it',
  )
}

export function judgeInvalidIndexes(row: Named | undefined): Finding {
  const { names, count } = requireFound(row)
  if (count === 0) return reportOk('indexes: all are valid')
  return reportWarning(
    `indexes: ${count} written and never read, since their making broke off: ${names}`,
    'run REINDEX INDEX CONCURRENTLY for each',
  )
}

export function judgeUncheckedConstraints(row: Named | undefined): Finding {
  const { names, count } = requireFound(row)
  if (count === 0) return reportOk('constraints: all hold for every row')
  return reportWarning(
    `constraints: ${count} never checked against the rows of before: ${names}`,
    'run "migrate", or ALTER TABLE … VALIDATE CONSTRAINT for each',
  )
}

/** A process may take its pool and a connection to hear changes on. */
export function judgeConnections(row: Connections | undefined): Finding {
  const { used, available, ours, processes } = requireFound(row)
  const mayBe = used - ours + processes * (POOL_SIZE + 1)
  const what = `connections: ${used} of ${available} are used, ${ours} of them ours; with every pool full (processes: ${processes}) ${mayBe}`
  const isTight = Math.max(used, mayBe) > available * MAX_CONNECTION_RATIO
  if (!isTight) return reportOk(what)
  return reportWarning(what, 'raise max_connections, run fewer processes, or put PgBouncer before')
}

function isStale({ live, stale }: Rows) {
  return stale >= MIN_STALE_ROWS && stale >= live * MAX_STALE_RATIO
}

function formatLast(done: string, day: string | null) {
  return day === null ? `never ${done}` : `last ${done} on ${day}`
}

function defineCheck<Row extends QueryResultRow>(
  about: string,
  text: string,
  judge: (row: Row | undefined) => Finding,
): DoctorCheck {
  return {
    about,
    async run(db) {
      const { rows } = await db.$client.query<Row>(text)
      return judge(rows[0])
    },
  }
}
