// What three processes stand on goes away and comes back while people pay: the pooler, Postgres, and in the end the
// machine it ran on.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooks } from '../support/processes/books.ts'
import { type Installation, openInstallation } from '../support/processes/installation.ts'
import { type Payers, startPayers } from '../support/processes/payers.ts'

const SOON = { timeout: 60_000, interval: 25 }
const GONE_MS = 500

let installation: Installation

beforeAll(async () => {
  installation = await openInstallation()
}, 240_000)
afterAll(() => installation?.close())

/** Callers are only told to come again, or that a request with this key, which went down with Postgres, is under way. */
function expectPlainWords({ failures }: Payers) {
  const others = failures.filter(({ why }) => !/\b503\b|"idempotency_in_progress"/.test(why))
  expect(others).toEqual([])
}

test('the pooler goes and comes back', async () => {
  const payers = startPayers(installation)
  await payers.payMore()

  await installation.pooler.kill()
  await sleep(GONE_MS)
  await installation.pooler.resume()
  await payers.payMore()
  await payers.stop()

  await expectBooks(installation, payers, { what: 'pooler gone and back' })
  expectPlainWords(payers)
})

test('Postgres is restarted at once, in the middle of everything', async () => {
  const payers = startPayers(installation)
  await payers.payMore()

  await installation.primary.end('SIGQUIT')
  await sleep(GONE_MS)
  await installation.primary.start()
  await payers.payMore()
  await payers.stop()

  await expectBooks(installation, payers, { what: 'Postgres restart -m immediate' })
  expectPlainWords(payers)
})

test('the primary dies, its standby takes over, and what was promised is there', async () => {
  const standby = await installation.addStandby()
  const payers = startPayers(installation)
  await payers.payMore()

  await installation.primary.end('SIGKILL')
  const goneAt = performance.now()
  installation.address.pointTo(standby.port)
  await expect.poll(installation.readReadiness, SOON).toEqual([503, 503, 503])
  await standby.promote()
  await installation.awaitReady()
  const seconds = (performance.now() - goneAt) / 1_000
  await payers.payMore()
  await payers.stop()

  await expectBooks(installation, payers, {
    what: `failover, ${seconds.toFixed(1)} s without a primary`,
  })
  expectPlainWords(payers)
})
