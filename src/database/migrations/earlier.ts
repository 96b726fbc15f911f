// Handles databases created by the migrations that `0000_first.sql` replaced on 29 November 2026.
import { requireFound } from '../found.ts'
import { type Client, type Migration, recordMigration } from './files.ts'

export const FIRST_TAG = '0000_first'
const LAST_BEFORE = 'the version of 29 November 2026 (commit 2dba17e0)'

/** Why the migrations are not run on a database, and what to do. */
type MigrationRefusal = { what: string; advice: string }

const OLDER: MigrationRefusal = {
  what: `this database is older than ${LAST_BEFORE}, or belongs to another program`,
  advice:
    'start that version on it once, and then this one; if it belongs to another program, name a database of its own in DATABASE_URL',
}
const UNFINISHED: MigrationRefusal = {
  what: `${LAST_BEFORE} has not finished writing the book of money, or the words of searches`,
  advice: 'let it run for some minutes, and then start this version',
}

/**
 * Records the first migration as run on a database that has run all earlier ones, and refuses other databases. Runs in
 * the caller's transaction.
 */
export async function recordFirstMigration(client: Client, first: Migration) {
  const history = await readHistory(client, first)
  if (history === 'new') return
  if (history !== 'whole') throw new Error(`Refused: ${history.what}: ${history.advice}.`)
  await client.query('delete from drizzle.__drizzle_migrations where created_at <= $1', [
    first.when,
  ])
  await recordMigration(client, first)
}

/** Undefined when the migrations may run on this database, which has a record of some. */
export async function findMigrationRefusal(client: Client, first: Migration) {
  const history = await readHistory(client, first)
  return typeof history === 'string' ? undefined : history
}

/** `new`: no earlier migration ran on it; `whole`: all of them, and their rows are complete. */
async function readHistory(
  client: Client,
  first: Migration,
): Promise<'new' | 'whole' | MigrationRefusal> {
  const { rows } = await client.query<{ last: number; isSame: boolean }>(
    `select coalesce(max(created_at) filter (where created_at <= $1), 0)::float8 as last,
      coalesce(bool_or(hash = $2), false) as "isSame"
    from drizzle.__drizzle_migrations`,
    [first.when, first.hash],
  )
  const { last, isSame } = requireFound(rows[0])
  if (last === 0 || isSame) return 'new'
  if (last < first.when) return OLDER
  return (await isUnfinished(client)) ? UNFINISHED : 'whole'
}

async function isUnfinished(client: Client) {
  const { rowCount } = await client.query(`
    select where not exists (select from installation where name = 'book_filled')
        and exists (select from transactions where approved_at is not null)
      or exists (select from transactions where words is null)
      or exists (select from payment_links where words is null)
      or exists (select from customers where words is null)`)
  return rowCount === 1
}
