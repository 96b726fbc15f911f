// What will hurt next in Postgres: each as one statement, and a judgement of the figures that it brings.
import type { QueryResultRow } from 'pg'
import { requireFound } from '../../database/found.ts'
import { type DoctorCheck, type Finding, reportOk, reportWarning } from './finding.ts'

type Named = { names: string | null; count: number }

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
    'constraints',
    `
    select string_agg(format('%s of %s', conname, conrelid::regclass), ', ' order by conname) as names,
      count(*)::int
    from pg_constraint where not convalidated and connamespace = 'public'::regnamespace`,
    judgeUncheckedConstraints,
  ),
]

type Size = { total: string; biggest: string; week: string }

function judgeSize(row: Size | undefined): Finding {
  const { total, biggest, week } = requireFound(row)
  return reportOk(
    `size: the database takes ${total}, most of it ${biggest}; about ${week} of it came in the last 7 days`,
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
