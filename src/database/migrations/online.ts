// A migration whose first line is `-- online` is run statement by statement, outside any transaction, so that
// indexes are built and constraints validated while others write. Stopped half-way it begins anew: each of its
// statements may be run twice (test/database/migrations/rules.test.ts holds it to that).
import type pg from 'pg'

const CONCURRENTLY = /\bINDEX\s+CONCURRENTLY\b/i
const BUILT_INDEX = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"?(\w+)"?/i

/** Whether Postgres refuses it inside a transaction, and lets others write meanwhile. */
export function isConcurrent(statement: string) {
  return CONCURRENTLY.test(statement)
}

/** The same for inside a transaction: its table is locked until that ends. */
export function lockIndexedTable(statement: string) {
  return statement.replace(/(\bINDEX)\s+CONCURRENTLY\b/gi, '$1')
}

/** What a build left behind that was stopped half-way: it is of no use, and costs every write. */
export async function dropInvalidIndex(client: pg.ClientBase, statement: string) {
  const name = BUILT_INDEX.exec(statement)?.[1]
  if (name === undefined) return
  const { rows } = await client.query<{ found: boolean }>(
    'select true as found from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [`"${name}"`],
  )
  if (rows.length > 0) await client.query(`drop index concurrently if exists "${name}"`)
}
