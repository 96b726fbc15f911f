// Postgres goes away and comes back under the feet of a program at work.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { migrateDatabase } from '../../src/database/migrations/run.ts'
import { buildTestCard } from '../support/payer.ts'
import { reservePort } from '../support/port.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { type Halt, startThrowawayPostgres } from '../support/postgres/throwaway.ts'
import { openServices } from '../support/processes/service.ts'
import {
  awaitQuiet,
  buildFilledForm,
  createTestMerchant,
  expectConsistent,
  fillCheckoutForm,
  makeAllDue,
  postForm,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'
import { openReceiver } from '../support/receiver.ts'

const SOON = { timeout: 10_000 }
const CALM_MS = 300
const GONE_MS = 500
/** Long enough for several tries to listen again. */
const UNHEARD_MS = 2_000
const API_PAUSE_MS = 40

const postgres = await startThrowawayPostgres({ lasting: true })
await migrateDatabase(postgres.url)
const { start, killAll } = openServices(postgres.url, TRUSTING_ENVIRONMENT)

afterEach(killAll)
afterAll(() => postgres.stop())

function openTestConnection() {
  const db = connectDatabase(postgres.url)
  onTestFinished(() => db.$client.end())
  return db
}

type OutageMerchant = Awaited<ReturnType<typeof createTestMerchant>>

/** What people do all the time; each answers with the last response it got. */
function buildVisits(baseUrl: string, { slug, headers }: OutageMerchant) {
  const body = JSON.stringify({ title: 'Bolo', amountCents: 1_990, methods: ['pix'] })
  const pay = async () => {
    const page = await fetch(`${baseUrl}/pagar/${slug}`)
    if (!page.ok) return page
    return postForm(
      `${baseUrl}/pagar/${slug}/payments`,
      buildFilledForm(await page.text(), buildTestCard('ok')),
    )
  }
  const create = async () => {
    await sleep(API_PAUSE_MS)
    return fetch(`${baseUrl}/api/payment-links`, { method: 'POST', headers, body })
  }
  return [pay, pay, pay, pay, create, () => fetch(`${baseUrl}/readyz`)]
}

/** Visits go on until `stop`, which answers what was answered. */
function keepVisiting(baseUrl: string, testMerchant: OutageMerchant) {
  const answers: { status: number; retryAfter: string | null }[] = []
  let over = false
  const visiting = buildVisits(baseUrl, testMerchant).map(async (visit) => {
    while (!over) {
      const { status, headers } = await visit()
      answers.push({ status, retryAfter: headers.get('retry-after') })
    }
  })
  return async function stop() {
    over = true
    await Promise.all(visiting)
    return answers
  }
}

test('a program that starts before its database waits for it, and says so', async () => {
  await postgres.halt('fast')
  const port = String(await reservePort())
  const at = `http://localhost:${port}`
  const starting = start({ port })
  const alive = () => fetch(`${at}/healthz`).then((answer) => answer.status)
  await expect.poll(() => alive().catch(() => 0), SOON).toBe(200)

  const answers = await Promise.all(
    ['/readyz', '/pagar/2222222222', '/api/payment-links'].map((path) => fetch(at + path)),
  )
  await postgres.resume()
  const service = await starting

  for (const { status, headers } of answers) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await fetch(`${at}/pagar/2222222222`)).status).toBe(404)
  expect(service.lines.join('\n')).toContain('waiting for the database')
  expect(service.lines.join('\n')).not.toContain('a connection to the database broke')
})

test('a program that has nothing to do reports an outage once, and not at each try to listen again', async () => {
  const service = await start()
  await postgres.halt('fast')
  await sleep(UNHEARD_MS)
  await postgres.resume()
  const ready = () => fetch(`${service.baseUrl}/readyz`).then(({ ok }) => ok)
  await expect.poll(ready, SOON).toBe(true)

  const broken = service.lines.filter((line) => line.includes('a connection to the database broke'))

  expect(broken.length).toBeGreaterThan(0)
  // Each open connection reports its own end; what is tried after that is one outage.
  const tries = broken.filter((line) => !line.includes('terminating connection'))
  expect(tries.length).toBeLessThan(2)
})

test.each<Halt>(['fast', 'immediate'])(
  'a Postgres that ends (%s) under load costs some 503s, and then all is well without a restart of ours',
  async (how) => {
    const db = openTestConnection()
    // Before anything runs: locks on all tables and a program's own would wait for each other.
    await db.$client.query('truncate sandbox_charges, companies cascade')
    const service = await start()
    const receiver = await openReceiver()
    const testMerchant = await createTestMerchant(db, service.baseUrl, {
      receiverUrl: receiver.url,
    })

    const stop = keepVisiting(service.baseUrl, testMerchant)
    await sleep(CALM_MS)
    await postgres.halt(how)
    await sleep(GONE_MS)
    await postgres.resume()
    const ready = () => fetch(`${service.baseUrl}/readyz`).then(({ ok }) => ok)
    await expect.poll(ready, SOON).toBe(true)
    await sleep(CALM_MS)
    const answers = await stop()

    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 201, 303, 503])
    for (const { status, retryAfter } of answers)
      expect(Number(retryAfter) > 0).toBe(status === 503)
    expect(service.process.exitCode).toBeNull()
    const last = await fillCheckoutForm(service.baseUrl, testMerchant.slug, buildTestCard('ok'))
    expect((await last()).status).toBe(303)
    await makeAllDue(db)
    await awaitQuiet(db)
    expect(await expectConsistent(db, receiver.hits)).toBeGreaterThan(0)
  },
)

test('a Postgres that takes no new sessions and waits for ours is left, and /readyz says no until it is back', async () => {
  const service = await start()
  const readStatus = () => fetch(`${service.baseUrl}/readyz`).then(({ status }) => status)
  await expect.poll(readStatus, SOON).toBe(200)

  const halted = postgres.halt('smart')
  await expect.poll(readStatus, SOON).toBe(503)
  await halted
  const gone = await readStatus()
  await postgres.resume()

  expect(gone).toBe(503)
  await expect.poll(readStatus, SOON).toBe(200)
  expect(service.process.exitCode).toBeNull()
})

test('connections that Postgres waits for are given up once it refuses another, and kept again when it is back', async () => {
  const db = openTestConnection()
  const readPid = async () =>
    (await db.$client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const [busy, idle] = await Promise.all([db.$client.connect(), db.$client.connect()])
  idle.release()
  const halted = postgres.halt('smart')
  const refusal = () => runStatement(postgres.url, 'select 1').catch(({ code }) => code)
  await expect.poll(refusal, SOON).toBe('57P03')

  const kept = await readPid()
  const many = await Promise.allSettled([readPid(), readPid()])
  await busy.query('select 1')
  busy.release()
  await expect.poll(() => db.$client.totalCount, SOON).toBe(0)
  await halted
  await postgres.resume()

  expect(kept).toEqual(expect.any(Number))
  expect(many[1]).toMatchObject({ status: 'rejected', reason: { code: '57P03' } })
  expect(await readPid()).toBe(await readPid())
})
