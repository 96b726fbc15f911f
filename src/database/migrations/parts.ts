// Checks the indexes and constraints of a schema against drizzle-kit's snapshot of the last migration.
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

/** Postgres shortens longer names (in bytes; ours are ASCII). */
const MAX_NAME_LENGTH = 63

/**
 * Counts the indexes and constraints that the migrations create, and lists the missing ones. An index that was not
 * completely built counts as missing.
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
    where of_table.relnamespace = 'public'::regnamespace`)
  const found = new Set(rows.map(({ part }) => part))
  const expected = listParts(listMigrations())
  const missing = expected.filter((part) => !found.has(part))
  return { expected: expected.length, missing }
}

/** Lists names such as `transactions.transactions_token_unique` after the last migration. */
function listParts(migrations: Migration[]) {
  const [number] = migrations.at(-1)?.tag.split('_') ?? []
  const snapshot = readFileSync(`${MIGRATIONS_FOLDER}/meta/${number}_snapshot.json`, 'utf8')
  const { tables: noted }: { tables: Record<string, Table> } = JSON.parse(snapshot)
  return Object.values(noted).flatMap((table) =>
    listNames(table).map((name) => `${table.name}.${name.slice(0, MAX_NAME_LENGTH)}`),
  )
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
