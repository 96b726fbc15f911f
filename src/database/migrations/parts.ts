// What must stand in a schema beside its columns. drizzle-kit notes indexes and constraints with each migration;
// functions and triggers are read from the migrations' own statements.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Database } from '../connect.ts'
import { sql } from '../drizzle.ts'
import { listMigrations, MIGRATIONS_FOLDER, type Migration } from './files.ts'

type Named = Record<string, { name: string }>
type Table = {
  name: string
  columns: Record<string, { primaryKey: boolean }>
  indexes: Named
  foreignKeys: Named
  compositePrimaryKeys: Named
  uniqueConstraints: Named
  checkConstraints: Named
}

/** Postgres cuts a name, in bytes; all of ours are ASCII. */
const MAX_NAME_LENGTH = 63

/**
 * Of the schema that this program's migrations make: how many parts it has, and which are not there. A function with
 * another body counts as missing, and so do a trigger that is switched off and an index whose making broke off.
 */
export async function findMissingParts(db: Database) {
  const { rows } = await db.execute<{ part: string }>(sql`
    select of_table.relname || '.' || part.name as part from (
      select conrelid as id, conname as name from pg_constraint
      union all
      select indrelid, index.relname from pg_index join pg_class index on index.oid = indexrelid
      where indisvalid
    ) part
    join pg_class of_table on of_table.oid = part.id
    where of_table.relnamespace = 'public'::regnamespace
    union all
    select tgrelid::regclass || '.' || tgname from pg_trigger where not tgisinternal and tgenabled <> 'D'
    union all
    select proname || '()' || case prosrc when '' then '' else ' ' || md5(prosrc) end
    from pg_proc where pronamespace = 'public'::regnamespace`)
  const found = new Set(rows.map(({ part }) => part))
  const expected = listParts(listMigrations())
  const missing = expected.filter((part) => !found.has(part))
  return { expected: expected.length, missing: missing.map((part) => part.replace(/ .*/, '')) }
}

/**
 * The migrations whose record here is not this program's: `edited` ran with another text, and what they left may be
 * another schema; of `unrecorded` nothing says that they ran, though later ones did.
 */
export async function listStrayMigrations(db: Database) {
  const { rows } = await db.execute<{ when: string; hash: string }>(
    sql`select created_at as when, hash from drizzle.__drizzle_migrations`,
  )
  const hashes = new Map(rows.map((row) => [Number(row.when), row.hash]))
  const last = Math.max(...hashes.keys())
  const known = listMigrations().filter(({ when }) => when <= last)
  const unrecorded = known.filter(({ when }) => !hashes.has(when))
  const edited = known.filter(({ when, hash: sum }) => (hashes.get(when) ?? sum) !== sum)
  return { edited: edited.map(({ tag }) => tag), unrecorded: unrecorded.map(({ tag }) => tag) }
}

/** `transactions.transactions_token_unique`, …: after the last migration. */
function listParts(migrations: Migration[]) {
  const [number] = migrations.at(-1)?.tag.split('_') ?? []
  const snapshot = readFileSync(`${MIGRATIONS_FOLDER}/meta/${number}_snapshot.json`, 'utf8')
  const { tables: noted }: { tables: Record<string, Table> } = JSON.parse(snapshot)
  const tables = Object.values(noted)
  const isThere = (trigger: string) => tables.some(({ name }) => trigger.startsWith(`${name}.`))
  return [
    ...tables.flatMap((table) =>
      listNames(table).map((name) => `${table.name}.${name.slice(0, MAX_NAME_LENGTH)}`),
    ),
    ...listRoutines(migrations).filter((part) => part.includes('()') || isThere(part)),
  ]
}

const ROUTINE =
  /^(CREATE|DROP) (?:OR REPLACE )?(?:FUNCTION|TRIGGER (?=[^;]*? ON (\w+))) ?(?:IF EXISTS )?(\w+)\b(?!\.)/gim
const BODY = /\bAS \$\$(.*?)\$\$/is

/** What is there once all have run, as `findMissingParts` names it; the MD5 of a body is as Postgres counts it. */
function listRoutines(migrations: Migration[]) {
  const parts = new Map<string, string>()
  for (const { isDropped, name, part } of migrations.flatMap(readRoutines)) {
    if (isDropped) parts.delete(name)
    else parts.set(name, part)
  }
  return [...parts.values()]
}

function readRoutines({ statements }: Migration) {
  return statements.flatMap((statement) =>
    [...statement.matchAll(ROUTINE)].map(([, verb = '', table, routine]) => {
      const name = table ? `${table}.${routine}` : `${routine}()`
      const part = table ? name : name + hashBody(statement)
      return { isDropped: /^drop$/i.test(verb), name, part }
    }),
  )
}

/** Empty where it has none between dollars: Postgres keeps such a body in a form of its own. */
function hashBody(statement: string) {
  const body = BODY.exec(statement)?.[1]
  return body ? ` ${hash('md5', body)}` : ''
}

function listNames(table: Table) {
  const { indexes, foreignKeys, compositePrimaryKeys, uniqueConstraints, checkConstraints } = table
  const named = [indexes, foreignKeys, compositePrimaryKeys, uniqueConstraints, checkConstraints]
  const hasKey = Object.values(table.columns).some(({ primaryKey }) => primaryKey)
  return [
    ...named.flatMap((parts) => Object.values(parts).map(({ name }) => name)),
    ...(hasKey ? [`${table.name}_pkey`] : []),
  ]
}
