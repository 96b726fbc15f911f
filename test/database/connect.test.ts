import { expect, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { sql } from '../../src/database/drizzle.ts'
import { isOutage } from '../../src/system-error.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { url } = await openDatabase()

test('a transaction that cannot begin gives its connection back', async () => {
  const db = connectDatabase(url, { max: 1 })
  const other = connectDatabase(url)
  const [{ pid }] = (await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`))
    .rows as [{ pid: number }]
  // The pool must not notice before `begin` does, or it would throw the connection away by itself.
  const connection = await db.$client.connect()
  await other.execute(sql`select pg_terminate_backend(${pid})`)
  connection.release()

  const first = db.transaction(async (tx) => tx.execute(sql`select 1`)).catch(() => 'failed')
  await first
  const second = await db.transaction(async (tx) => (await tx.execute(sql`select 2 as two`)).rows)

  expect(second).toEqual([{ two: 2 }])
  await Promise.all([db.$client.end(), other.$client.end()])
})

test('a connection that breaks while it is idle is reported once', async () => {
  const errors: Error[] = []
  const db = connectDatabase(url, { max: 1, onError: (error) => errors.push(error) })
  const other = connectDatabase(url)
  const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)

  await other.execute(sql`select pg_terminate_backend(${rows[0]!.pid})`)
  await expect.poll(() => db.$client.totalCount).toBe(0)

  expect(errors.map(({ message }) => message)).toEqual([
    'terminating connection due to administrator command',
  ])
  await Promise.all([db.$client.end(), other.$client.end()])
})

test('a database that writes its dates as people do is read all the same', async () => {
  const { url: dated, db: first } = await openDatabase()
  const { rows: names } = await first.execute<{ name: string }>(
    sql`select current_database() as name`,
  )
  await first.execute(sql.raw(`alter database "${names[0]!.name}" set datestyle = 'SQL, DMY'`))
  const db = connectDatabase(dated)

  const { rows } = await db.execute(sql`select '2026-11-25 12:00:00Z'::timestamptz::text as at`)

  expect(rows).toEqual([{ at: expect.stringMatching(/^2026-11-25 \d\d:00:00/) }])
  await db.$client.end()
})

test('a role that asks for serializable transactions and ends idle sessions changes nothing for ours', async () => {
  const { url: strict, db: first } = await openDatabase()
  const { pathname } = new URL(strict)
  const name = pathname.slice(1)
  await first.execute(
    sql.raw(`alter database ${name} set default_transaction_isolation = 'serializable'`),
  )
  await first.execute(sql.raw(`alter database ${name} set idle_session_timeout = '1s'`))
  const db = connectDatabase(strict)

  const { rows } = await db.execute(
    sql`select current_setting('transaction_isolation') as isolation, current_setting('idle_session_timeout') as idle`,
  )

  expect(rows).toEqual([{ isolation: 'read committed', idle: '0' }])
  await db.$client.end()
})

test('two transactions that wait for each other both end well', async () => {
  const db = connectDatabase(url)
  await db.execute(
    sql`create table crossed as select * from unnest(array[1, 2]) as id, (values (0)) as n (n)`,
  )
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const add = (own: PromiseWithResolvers<void>, other: Promise<void>, ids: [number, number]) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local deadlock_timeout = '10ms'`)
      await tx.execute(sql`update crossed set n = n + 1 where id = ${ids[0]}`)
      own.resolve()
      await other
      await tx.execute(sql`update crossed set n = n + 1 where id = ${ids[1]}`)
    })

  await Promise.all([add(first, second.promise, [1, 2]), add(second, first.promise, [2, 1])])

  const { rows } = await db.execute(sql`select n from crossed`)
  expect(rows).toEqual([{ n: 2 }, { n: 2 }])
  await db.$client.end()
})

test('a transaction that fails changes nothing, and its error is the one that was thrown', async () => {
  const db = connectDatabase(url)

  const failed = db.transaction(async (tx) => {
    await tx.execute(sql`create table left_behind ()`)
    throw new Error('on second thoughts')
  })

  await expect(failed).rejects.toThrow('on second thoughts')
  const { rows } = await db.execute(sql`select to_regclass('left_behind') as found`)
  expect(rows).toEqual([{ found: null }])
  await db.$client.end()
})

test.each([
  ['a port without a listener', 'postgres://vintem@127.0.0.1:1/vintem'],
  ['a socket that is not there', 'postgres:///vintem?user=vintem&host=/proc/self/no-such-folder'],
])('a Postgres behind %s is not running for now', async (_what, address) => {
  const db = connectDatabase(address)

  const refused: unknown = await db.execute(sql`select 1`).catch((error: unknown) => error)

  expect(isOutage(refused)).toBe(true)
  await db.$client.end()
})
