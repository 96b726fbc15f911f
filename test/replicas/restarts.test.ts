// Three processes behind nginx are restarted and killed while people pay, and a receiver goes away.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { recordEvent } from '../../src/webhooks/events/event.ts'
import { expectBooks } from '../support/processes/books.ts'
import { type Installation, openInstallation } from '../support/processes/installation.ts'
import { startPayers } from '../support/processes/payers.ts'
import { awaitQuiet } from '../support/processes/traffic.ts'

const SOON = { timeout: 60_000, interval: 25 }
const KILLS = 4
const WAITING = 1_000

let installation: Installation

beforeAll(async () => {
  installation = await openInstallation()
}, 240_000)
afterAll(() => installation?.close())

test('a rolling restart fails no request', async () => {
  const payers = startPayers(installation)
  await payers.payMore()

  const ends = []
  for (const i of [0, 1, 2]) {
    ends.push(await installation.restart(i, 'SIGTERM'))
    await payers.payMore()
  }
  await payers.stop()

  expect(ends).toEqual([0, 0, 0])
  await expectBooks(installation, payers, { what: 'rolling restart of 3 processes' })
  expect(payers.failures).toEqual([])
})

test('processes killed at random moments lose and double nothing', async () => {
  const payers = startPayers(installation)

  for (let kill = 0; kill < KILLS; kill++) {
    await payers.payMore()
    await sleep(Math.random() * 100)
    await installation.restart(kill % 3, 'SIGKILL')
  }
  await payers.stop()

  await expectBooks(installation, payers, { what: `${KILLS} times kill -9` })
})

test('a thousand webhooks that waited for their receiver arrive, each once', async () => {
  const { db, receiver, merchant } = installation
  const { companyId } = merchant
  const before = receiver.hits.length
  await receiver.goAway()
  const ids = await db.transaction(async (tx) => {
    const made: string[] = []
    for (let i = 0; i < WAITING; i++) {
      const data = { transaction: { id: newId() } }
      const event = { companyId, type: 'transaction.approved', testMode: true, data } as const
      made.push(String((await recordEvent(tx, { ...event, now: new Date() })).eventId))
    }
    return made
  })
  const untried = `select from webhook_deliveries where status = 'pending' and outcome is null limit 1`
  await expect.poll(async () => (await db.$client.query(untried)).rowCount, SOON).toBe(0)

  await receiver.comeBack()
  const backAt = performance.now()
  const countWaiting = async () => (await db.$client.query(MAKE_DUE_SQL)).rowCount
  await expect.poll(countWaiting, { ...SOON, interval: 100 }).toBe(0)
  await awaitQuiet(db)
  const seconds = (performance.now() - backAt) / 1_000

  const heard = receiver.hits.slice(before).map(getId)
  expect(heard.toSorted()).toEqual(ids.toSorted())
  expect(receiver.refused).toEqual([])
  process.stdout.write(`receiver back: ${WAITING} waiting webhooks in ${seconds.toFixed(1)} s\n`)
})

/** What waits for its third attempt would wait for five minutes. */
const MAKE_DUE_SQL = `
  update webhook_deliveries set due_at = now() where status = 'pending' and leased_until is null`

function getId({ headers }: { headers: Record<string, unknown> }) {
  return headers['webhook-id']
}
