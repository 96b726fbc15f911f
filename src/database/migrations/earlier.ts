// Handles databases created by the migrations that `0000_first.sql` replaced on 29 November 2026.
import type pg from 'pg'
import { requireFound } from '../found.ts'
import { type Migration, recordMigration } from './files.ts'

export const FIRST_TAG = '0000_first'
const LAST_BEFORE = 'the version of 29 November 2026 (commit 2dba17e0)'

/**
 * Records the first migration as run on a database that has run all earlier ones, and refuses other databases. Runs in
 * the caller's transaction.
 */
export async function recordFirstMigration(client: pg.ClientBase, first: Migration) {
  const { rows } = await client.query<{ last: number; isSame: boolean }>(
    `select coalesce(max(created_at) filter (where created_at <= $1), 0)::float8 as last,
      coalesce(bool_or(hash = $2), false) as "isSame"
    from drizzle.__drizzle_migrations`,
    [first.when, first.hash],
  )
  const { last, isSame } = requireFound(rows[0])
  if (last === 0 || isSame) return
  if (last < first.when)
    throw new Error(
      `Refused: this database is older than ${LAST_BEFORE}. Start that version on it once, and then this one.`,
    )
  if (await isUnfinished(client))
    throw new Error(
      `Refused: ${LAST_BEFORE} has not finished writing the book of money, or the words of searches. Let it run for some minutes, and then start this version.`,
    )
  await client.query('delete from drizzle.__drizzle_migrations where created_at <= $1', [
    first.when,
  ])
  await recordMigration(client, first)
}

async function isUnfinished(client: pg.ClientBase) {
  const { rowCount } = await client.query(`
    select where not exists (select from installation where name = 'book_filled')
        and exists (select from transactions where approved_at is not null)
      or exists (select from transactions where words is null)
      or exists (select from payment_links where words is null)
      or exists (select from customers where words is null)`)
  return rowCount === 1
}
