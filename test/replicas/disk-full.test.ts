// The disk of Postgres fills up while people pay, and is freed again.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildTestCard } from '../support/payer.ts'
import { expectBooks } from '../support/processes/books.ts'
import { type Installation, openInstallation } from '../support/processes/installation.ts'
import { startPayers } from '../support/processes/payers.ts'
import { makeFolder } from '../support/processes/reaper.ts'
import { mountSmallDisk } from '../support/processes/small-disk.ts'
import { buildFilledForm } from '../support/processes/traffic.ts'

const SOON = { timeout: 60_000, interval: 50 }
const DISK_MB = 220
const SOME = 10

const disk = mountSmallDisk(join(makeFolder('disk'), 'disk'), DISK_MB)
let installation: Installation

beforeAll(async () => {
  if (disk) installation = await openInstallation({ disk: disk.folder })
}, 240_000)
afterAll(async () => {
  await installation?.close()
  disk?.unmount()
})

test.skipIf(!disk)(
  'on a full disk no process is ready, payers are told to come again, and afterwards all goes on (skipped where no disk can be mounted)',
  async () => {
    const { primary } = installation
    const payers = startPayers(installation)
    await payers.payMore()

    disk!.fill()
    const isFull = setInterval(() => disk!.fill(), 50)
    onTestFinished(() => clearInterval(isFull))
    await expect.poll(installation.readReadiness, SOON).toEqual([503, 503, 503])
    const failed = payers.failures.length
    await expect.poll(() => payers.failures.length, SOON).toBeGreaterThan(failed + SOME)
    // What fits into room that Postgres has already may still be written now and then.
    let said = ''
    const payNow = async () => {
      const answer = await payByCard()
      said = await answer.text()
      return answer.status
    }
    await expect.poll(payNow, SOON).toBe(503)
    clearInterval(isFull)
    disk!.free()
    // Where even its log found no room it has ended itself, and its supervisor starts it again.
    if (!primary.isRunning()) await primary.start()
    await installation.awaitReady()
    await payers.payMore()
    await payers.stop()

    await expectBooks(installation, payers, { what: 'disk full' })
    const others = payers.failures.filter(({ why }) => !/\b503\b/.test(why))
    expect(others).toEqual([])
    expect(said).toContain('Voltamos já')
  },
)

let payers = 0

/** What somebody new reads who fills in the form now, or cannot be shown it. */
async function payByCard() {
  const { url, merchant } = installation
  const page = await fetch(`${url}/pagar/${merchant.slug}`)
  if (!page.ok) return page
  const filled = { name: `Pagadora ${++payers}`, ...buildTestCard('ok') }
  const body = buildFilledForm(await page.text(), filled)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(`${url}/pagar/${merchant.slug}/payments`, { method: 'POST', body, headers })
}
