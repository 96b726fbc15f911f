// A dump of the version of 29 November 2026, with the year of a bakery in it, starts on the one schema.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkBook } from '../../../src/commands/doctor/integrity.ts'
import { checkSchema } from '../../../src/commands/doctor/postgres.ts'
import { connectDatabase, type Database } from '../../../src/database/connect.ts'
import { findMissingParts } from '../../../src/database/migrations/parts.ts'
import { migrateDatabase } from '../../../src/database/migrations/run.ts'
import { openDatabase } from '../../support/postgres/database.ts'
import { runStatement } from '../../support/postgres/statement.ts'

const DUMP = gunzipSync(readFileSync(new URL('./earlier.sql.gz', import.meta.url))).toString()
const SUMS = `select kind, count(*)::int, sum(cents)::int as cents from movements group by kind order by kind`
const RECORD = 'drizzle.__drizzle_migrations'

const { db: admin, url: ours } = await openDatabase()
const EARLIER = `vintem_test_earlier_${process.pid}`
let restored = 0

const inSibling = (name: string) => Object.assign(new URL(ours), { pathname: `/${name}` }).href

await admin.$client.query(`create database ${EARLIER} template template0`)
await runStatement(inSibling(EARLIER), DUMP)
afterAll(() => admin.$client.query(`drop database ${EARLIER} with (force)`))

async function restore() {
  const name = `${EARLIER}_${restored++}`
  await admin.$client.query(`create database ${name} template ${EARLIER} strategy file_copy`)
  const url = inSibling(name)
  const db = connectDatabase(url)
  onTestFinished(async () => {
    await db.$client.end()
    await admin.$client.query(`drop database ${name} with (force)`)
  })
  const run = async (text: string) => (await db.$client.query(text)).rows
  return { db, run, start: () => migrateDatabase(url) }
}

/** Tables with their columns, functions, triggers, indexes. */
async function listObjects(db: Database) {
  const { rows } = await db.$client.query(`
    select format('%s.%s', table_name, column_name) as name
      from information_schema.columns where table_schema = 'public'
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace
    union all select tgname from pg_trigger where not tgisinternal
    union all select indexname from pg_indexes where schemaname = 'public'
    order by name`)
  return rows.map(({ name }) => name)
}

test('a database of the version before has all that it had, and the whole schema', async () => {
  const { db, run, start } = await restore()
  const before = await run(SUMS)

  await start()
  await start()

  expect(await run(SUMS)).toEqual(before)
  expect(before.length).toBeGreaterThan(2)
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
  expect(await findMissingParts(db)).toMatchObject({ missing: [] })
  expect(await listObjects(db)).toEqual(await listObjects(admin))
})

test('a fee of nothing that stood unbooked beside a refund is in the book', async () => {
  const { db, run, start } = await restore()
  const [refund] = await run(`select transaction_id as id from movements where kind = 'refund'`)
  const ofPayment = `transaction_id = '${refund.id}'`
  await run(`update transactions set fee_cents = 0 where id = '${refund.id}'`)
  await run(`delete from movements where kind = 'fee' and ${ofPayment}`)
  await run(`update movements set fee_cents = null where kind = 'sale' and ${ofPayment}`)

  await start()

  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
})

test('fees stay without the days of payout, and a session without a confirmation is over', async () => {
  const { run, start } = await restore()
  const fees = 'select company_id, installments, rate_bps from payout_terms order by 1, 2'
  const before = await run(fees)
  await run(`
    insert into sessions
      (id, token_hash, user_id, address, user_agent, last_seen_at, expires_at, confirmed_at)
    select gen_random_uuid(), sha256(n::bytea), users.id, '', n, now(), now(), at
    from (select * from users limit 1) users,
      (values ('asked', now()), ('never', null)) given (n, at)`)

  await start()

  expect(await run(fees)).toEqual(before)
  expect(before.length).toBeGreaterThan(0)
  expect(await run('select user_agent from sessions')).toEqual([{ user_agent: 'asked' }])
})

test('one that is older is told to start the version before first, and is left as it was', async () => {
  const { db, run, start } = await restore()
  await run(`delete from ${RECORD} where created_at = (select max(created_at) from ${RECORD})`)
  const before = await run(`select hash from ${RECORD} order by id`)
  const refusal =
    'this database is older than the version of 29 November 2026 (commit 2dba17e0), or belongs to another program'

  await expect(start()).rejects.toThrow(`Refused: ${refusal}: start that version on it once`)
  const { findings, usable } = await checkSchema(db)

  expect(await run(`select hash from ${RECORD} order by id`)).toEqual(before)
  expect(usable).toBe(false)
  expect(findings).toMatchObject([{ status: 'fail', what: `migrations: ${refusal}` }])
  expect(findings[0]?.advice).toMatch(/^start that version on it once/)
})

test.each([
  ['the book of money', `delete from installation where name = 'book_filled'`],
  ['the words of a row', 'update customers set words = null'],
])(
  'one that %s is not whole of is told to let the version before write it',
  async (_what, text) => {
    const { db, run, start } = await restore()
    await run(text)

    await expect(start()).rejects.toThrow(
      /has not finished writing the book of money, or the words/,
    )
    const { findings } = await checkSchema(db)
    expect(findings).toMatchObject([
      { status: 'fail', advice: expect.stringMatching(/^let it run for some minutes/) },
    ])
  },
)
