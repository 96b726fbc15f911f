// One process stands still for two minutes, which is longer than any lease. Meanwhile, elsewhere, two of three
// have clocks that are ten seconds off, and Redis goes and comes back.
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestCard, PIX } from '../support/payer.ts'
import { expectBooks } from '../support/processes/books.ts'
import { type Installation, openInstallation } from '../support/processes/installation.ts'
import { type Payers, startPayers } from '../support/processes/payers.ts'
import { createTestMerchant, fillCheckoutForm } from '../support/processes/traffic.ts'

const SOON = { timeout: 30_000, interval: 50 }
const FROZEN_MS = 120_000
const LEASE_MS = 60_000
/** Fewer than are under way at one endpoint at first, so that the others have something left to do. */
const HELD = 3
const SOME = 10
const OFF_MS = 10_000
const CLOSE_MS = 5_000
/** Of the 100 of a key, one has made its merchant's link. */
const LIMIT = 99
const CALLS = 150

const skewed = ['+0', '-10s', '+10s'].map(setClock)
let freezing: Installation
let confused: Installation
let frozenAt = 0
let payers: Payers
let cutOff: Promise<unknown>
let sendAgain: () => Promise<Response>

beforeAll(async () => {
  freezing = await openInstallation()
  confused = await openInstallation({ environments: skewed })
}, 240_000)
afterAll(() => Promise.all([freezing, confused].map((one) => one?.close())))

/** By libfaketime, which tells a process another time and leaves its timers alone. */
function setClock(offset: string): Record<string, string> {
  const libraries = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime`)
  const [folder] = libraries.filter((path) => readdirIfAny(path).includes('libfaketimeMT.so.1'))
  if (!folder) throw new Error('libfaketime is not installed')
  return {
    LD_PRELOAD: `${folder}/libfaketimeMT.so.1`,
    FAKETIME: offset,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

function readdirIfAny(path: string) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** The third holds webhooks to a slow receiver, and the locks of a card payment. */
async function freezeInTheMiddle() {
  const { db, receiver, services, merchant } = freezing
  const { baseUrl } = services[2]!
  let payers = 0
  const pay = () => {
    const name = `Pagador do congelado ${++payers}`
    return fillCheckoutForm(baseUrl, merchant.slug, { name, ...buildTestCard('ok') })
  }
  freezing.freeze(0)
  freezing.freeze(1)
  const answer = receiver.hold()
  for (let i = 0; i < HELD; i++) expect((await (await pay())()).status).toBe(303)
  await expect.poll(() => receiver.hits.length, SOON).toBe(HELD)
  const submit = await pay()
  const holder = await db.$client.connect()
  await holder.query('begin; lock table card_attempts in exclusive mode')
  cutOff = submit().catch(() => 'no answer')
  const waiting = `select from pg_locks where relation = 'card_attempts'::regclass and not granted`
  await expect.poll(async () => (await holder.query(waiting)).rowCount, SOON).toBe(1)

  freezing.freeze(2)
  frozenAt = performance.now()
  await holder.query('rollback')
  holder.release()
  answer()
  freezing.thaw(0)
  freezing.thaw(1)
  sendAgain = () => submit(freezing.url)
}

test('while one process stands still the others go on, also with what it holds locked', async () => {
  await freezeInTheMiddle()
  payers = startPayers(freezing, 3)

  await expect.poll(() => payers.receipts.length, { timeout: 60_000 }).toBeGreaterThan(SOME)
})

test('clocks that are ten seconds off change neither how often nor what is believed', async () => {
  const { receiver, services, merchant } = confused
  receiver.takeYourTime(300)
  const working = startPayers(confused)
  const made = await Promise.all(
    services.map(async ({ baseUrl }) => {
      const body = JSON.stringify({ title: `Em ${baseUrl}`, amountCents: 1_990, methods: ['pix'] })
      const at = { method: 'POST', headers: merchant.headers, body }
      const answer = await fetch(`${baseUrl}/api/payment-links`, at)
      const { createdAt } = (await answer.json()) as { createdAt: string }
      return Math.abs(Date.parse(createdAt) - Date.now())
    }),
  )
  await expect.poll(() => working.receipts.length, SOON).toBeGreaterThan(60)
  await working.stop()

  for (const off of made) expect(off).toBeLessThan(OFF_MS + CLOSE_MS)
  await expectBooks(confused, working, { what: 'clocks 10 s off', patient: true })
  expect(receiver.hits).toHaveLength(new Set(receiver.hits.map(getId)).size)
  expect(working.failures).toEqual([])
})

test('wherever a Pix is made its code is good for as long, but for what the clocks are off', async () => {
  const { db, services, merchant } = confused
  const left = `select extract(epoch from expires_at - now())::float8 as seconds
    from transactions where token = $1`
  const lives = []

  for (const { baseUrl } of services) {
    const { headers } = await (await fillCheckoutForm(baseUrl, merchant.slug, PIX))()
    const token = headers.get('location')?.split('/').at(-1)
    lives.push((await db.$client.query(left, [token])).rows[0].seconds)
  }

  expect(Math.max(...lives) - Math.min(...lives)).toBeLessThan((2 * OFF_MS + CLOSE_MS) / 1_000)
})

test('100 calls a minute are 100 over three processes while Redis answers, and are answered without it', async () => {
  const { redis } = confused
  const before = await callAtOnce(CALLS)

  await redis.kill()
  const without = await callAtOnce(CALLS)
  await redis.resume()

  expect(before).toEqual({ 200: LIMIT, 429: CALLS - LIMIT })
  expect(Object.keys(without).every((status) => ['200', '429'].includes(status))).toBe(true)
  expect(without[200]).toBeGreaterThanOrEqual(LIMIT)
  await expect.poll(() => callAtOnce(CALLS), { timeout: 30_000, interval: 1_000 }).toEqual(before)
})

/** How often each status came, of a new key. */
async function callAtOnce(times: number) {
  const { headers } = await createTestMerchant(confused.db, confused.url)
  const statuses: Record<number, number> = {}
  const call = async () => {
    const { status } = await fetch(`${confused.url}/api/payment-links?limit=1`, { headers })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: times }, call))
  return statuses
}

test('a process that stood still for two minutes wakes up, and nothing is doubled', async () => {
  const { db, receiver, services } = freezing
  const wait = { timeout: FROZEN_MS + 30_000, interval: 200 }
  const leases = `select from webhook_deliveries where leased_until is not null and attempts = 1
    and created_at < now() - interval '90 seconds'`
  await expect.poll(() => performance.now() - frozenAt, wait).toBeGreaterThan(FROZEN_MS)
  expect((await db.$client.query(leases)).rows).toEqual([])
  const before = receiver.hits.filter(({ at }) => at < frozenAt + LEASE_MS)

  freezing.thaw(2)
  await cutOff
  expect((await sendAgain()).status).toBe(303)
  await freezing.awaitReady()
  await payers.stop()

  await expectBooks(freezing, payers, { what: 'one process frozen for 2 min', patient: true })
  const ids = receiver.hits.map(getId)
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i)
  expect(before.length).toBeGreaterThan(HELD)
  expect(new Set(twice).size).toBe(HELD)
  expect(services[2]!.process.exitCode).toBeNull()
})

function getId({ headers }: { headers: Record<string, unknown> }) {
  return headers['webhook-id']
}
