// Fills a table at the speed of its rows alone: its indexes are dropped and made again at the end, and
// neither triggers nor foreign keys look at what comes in, so whoever fills it writes what they would.
import type pg from 'pg'

const INDEXES = `
  select coalesce(
      'alter table ' || quote_ident($1) || ' add constraint ' || quote_ident(con.conname) || ' ' || pg_get_constraintdef(con.oid),
      pg_get_indexdef(i.indexrelid)) as made,
    coalesce(
      'alter table ' || quote_ident($1) || ' drop constraint ' || quote_ident(con.conname),
      'drop index ' || i.indexrelid::regclass) as dropped
  from pg_index i
  left join pg_constraint con on con.conindid = i.indexrelid and con.contype = 'u'
  where i.indrelid = $1::regclass and not i.indisprimary
    -- What others point at stays.
    and not exists (select from pg_constraint f where f.conindid = i.indexrelid and f.contype = 'f')`

/** @param fill writes the rows, the lowest id first */
export async function fillTable(client: pg.Client, table: string, fill: () => Promise<void>) {
  const { rows } = await client.query<{ made: string; dropped: string }>(INDEXES, [table])
  await client.query(`set session_replication_role = replica`)
  for (const { dropped } of rows) await client.query(dropped)
  await fill()
  for (const { made } of rows) await client.query(made)
  await client.query(`set session_replication_role = origin`)
  await client.query(`vacuum (analyze, parallel 0) ${table}`)
}
