// The embedded Postgres serves an owner of the data who is no superuser, be the data new or of a version before.
import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findEmbeddedPostgresUrl } from '../../src/database/embedded/server.ts'
import { migrateDatabase } from '../../src/database/migrate.ts'
import { startOlderEmbedded } from '../support/postgres/older-embedded.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { openEmbeddedRuns } from '../support/processes/embedded-runs.ts'
import { makeFolder } from '../support/processes/reaper.ts'

const scratch = makeFolder('embedded-role')
chmodSync(scratch, 0o755)
const { run } = openEmbeddedRuns(scratch)

function makeHome(name: string) {
  return makeFolder(`embedded-role-${name}`)
}

async function expectPlainOwner(url: string) {
  const run = (statement: string) => runStatement(url, statement)
  const asSuperuser = Object.assign(new URL(url), { username: 'postgres' }).href
  await expect(run("copy (select 1) to program 'true'")).rejects.toMatchObject({ code: '42501' })
  await expect(run("select pg_read_file('/etc/passwd')")).rejects.toMatchObject({ code: '42501' })
  await expect(runStatement(asSuperuser, 'select 1')).rejects.toMatchObject({ code: '28P01' })
}

test('a new one runs no programs and reads no files for the service, which makes all that it needs', async () => {
  const { url, end } = await run(makeHome('new'))

  await migrateDatabase(url)

  await expectPlainOwner(url)
  await end()
})

test('data that belongs to the superuser is handed over at the next start, whatever it is', async () => {
  const home = makeHome('older')
  const older = await startOlderEmbedded(home)
  await migrateDatabase(older.url)
  for (const sentence of [
    "insert into installation (name, value) values ('kept', 'R$ 19,90')",
    'create schema "Relatórios"',
    'create view "Relatórios"."de hoje" as select count(*)::int from payment_links',
    'create materialized view monthly as select 1 as month',
    'create sequence apart',
    'create table "Vendas" (id serial primary key, number int generated always as identity)',
    'create statistics together on id, number from "Vendas"',
    "create type mood as enum ('calm')",
    'create type pair as (a int, b int)',
    'create domain cents as int',
    'create aggregate total(int) (sfunc = int4pl, stype = int)',
    "create procedure nothing() language sql as ''",
  ])
    await runStatement(older.url, sentence)
  await older.stop()

  const { url, end } = await run(home)

  const left = await runStatement(url, LEFT_SQL)
  expect(left).toEqual([])
  expect(await runStatement(url, "select value from installation where name = 'kept'")).toEqual([
    { value: 'R$ 19,90' },
  ])
  await runStatement(url, 'alter table payment_links add column later int')
  await runStatement(url, 'select * from "Relatórios"."de hoje"')
  await expectPlainOwner(url)
  await end()
  const again = await run(home)
  await expectPlainOwner(again.url)
  await again.end()
})

test('a server that a version before left running is taken over; until then a command asks for it', async () => {
  const home = makeHome('adopted')
  const older = await startOlderEmbedded(home)
  await runStatement(older.url, 'create table kept ()')

  const early = findEmbeddedPostgresUrl({ dataDir: home })
  await expect(early).rejects.toThrow('is of a version before this one: restart it')
  const { url, end } = await run(home)

  expect(new URL(url).port).toBe(new URL(older.url).port)
  await runStatement(url, 'drop table kept')
  await expectPlainOwner(url)
  expect(await findEmbeddedPostgresUrl({ dataDir: home })).toBe(url)
  await end()
})

/** What in our schemas the service does not own, less what extensions brought along. */
const LEFT_SQL = `
select identity from pg_shdepend right join (
  select 'pg_class'::regclass as kind, oid from pg_class
  union all select 'pg_proc'::regclass, oid from pg_proc
  union all select 'pg_type'::regclass, oid from pg_type where typrelid = 0 and typelem = 0
  union all select 'pg_namespace'::regclass, oid from pg_namespace
  union all select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext
) made on classid = kind and objid = oid and deptype = 'o' and refobjid = 'vintem'::regrole,
pg_identify_object(kind, oid, 0)
where oid >= 16384 and classid is null
  and (schema is null or schema !~ '^pg_') and identity !~ '^pg_'
  and type not in ('index', 'toast table', 'composite type')
  and not exists (select from pg_depend where classid = kind and objid = oid and deptype in ('e', 'i'))`
