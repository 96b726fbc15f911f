// Reports and tables are read at a standby, and nothing else is: it may go, and people go on paying.
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { checkReplica } from '../../src/commands/doctor/replica.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { changeOwner, UNPRIVILEGED_USER } from '../../src/database/embedded/os-user.ts'
import { PIX } from '../support/payer.ts'
import { startPrimary, startStandby } from '../support/postgres/database-server.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { makeFolder } from '../support/processes/reaper.ts'
import { startService } from '../support/processes/service.ts'
import { createTestMerchant, fillCheckoutForm } from '../support/processes/traffic.ts'

const folder = makeFolder('postgres')
changeOwner(folder, UNPRIVILEGED_USER)
const primary = await startPrimary(join(folder, 'primary'))
const standby = await startStandby(primary, join(folder, 'standby'))
const service = await startService(primary.url, { DATABASE_READ_URL: standby.url })
const [db, reading] = [connectDatabase(primary.url), connectDatabase(standby.url)]
const { headers, slug } = await createTestMerchant(db, service.baseUrl)

afterAll(async () => {
  await service.end('SIGKILL')
  await db.$client.end()
  await reading.$client.end()
  await standby.end()
  await primary.end()
})

const today = new Date().toISOString().slice(0, 10)
const TABLES = [
  `reports/revenue?from=${today}&to=${today}&groupBy=day`,
  'payment-links.csv',
  'transactions.csv',
]
/** What a standby alone can say of itself: how many of our sessions have asked it something. */
const SESSIONS = `select count(*)::int as count from pg_stat_activity where application_name = 'vintem'`
const ask = (path: string) => fetch(`${service.baseUrl}/api/${path}`, { headers })

test('reports and tables are read at the standby', async () => {
  const answers = await Promise.all(TABLES.map(ask))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await answers[1]?.text()).toContain(slug)
  expect((await reading.$client.query(SESSIONS)).rows[0].count).toBeGreaterThan(1)
  expect(await checkReplica({ databaseReadUrl: standby.url }, db)).toMatchObject([{ status: 'ok' }])
})

test('the doctor tells of a standby of another database', async () => {
  const another = connectDatabase(inject('server'))

  const [finding] = await checkReplica({ databaseReadUrl: standby.url }, another)
  await another.$client.end()

  expect(finding).toMatchObject({
    status: 'fail',
    what: 'replica: it is that of another database than DATABASE_URL names',
  })
})

test('a standby that is gone takes the reports with it, and nothing else', async () => {
  await runStatement(primary.url, `alter system set synchronous_standby_names = ''`)
  await runStatement(primary.url, 'select pg_reload_conf()')
  await standby.end()

  const answers = await Promise.all(TABLES.map(ask))
  const list = await ask('payment-links')
  const pay = await fillCheckoutForm(service.baseUrl, slug, PIX)
  const paid = await pay()
  const [finding] = await checkReplica({ databaseReadUrl: standby.url }, db)

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(answers.every(({ headers }) => headers.has('retry-after'))).toBe(true)
  expect([list.status, paid.status]).toEqual([200, 303])
  expect(finding).toMatchObject({
    status: 'fail',
    advice: expect.stringContaining('DATABASE_READ_URL'),
  })
})
