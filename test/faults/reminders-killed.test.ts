// Processes are killed while they remind payers: each link is reminded of once all the same. The time is given, since
// reminders go by day alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { DAY_MS, HOUR_MS } from '../../src/database/instant.ts'
import { linkRecipients } from '../../src/database/tables.ts'
import { openCheckout } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const LINKS = 30
const SOURCE = join(import.meta.dirname, '../../src')
const PROGRAM = `
  import { randomBytes } from 'node:crypto'
  const { connectDatabase } = await import('${SOURCE}/database/connect.ts')
  const { createCipher } = await import('${SOURCE}/database/encryption/cipher.ts')
  const { remindDueLinks } = await import('${SOURCE}/payment-links/sending/reminders.ts')
  const [url, now] = process.argv.slice(1)
  const mail = { cipher: createCipher(randomBytes(32)) }
  const needs = { db: connectDatabase(url), mail, checkoutUrl: 'http://localhost/pagar' }
  while (await remindDueLinks(needs, new Date(now)));
  await needs.db.$client.end()`

const testApp = await openTestApp({ mail: true })
const { db, url, clock, newCompany } = testApp
const { newLink } = openCheckout(testApp)

function startReminding(now: Date) {
  const program = spawn(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, url, now.toISOString()],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  onTestFinished(() => void program.kill('SIGKILL'))
  const ended = once(program, 'exit')
  return { ended, kill: () => program.kill('SIGKILL') && ended }
}

async function count(table: string, condition: string) {
  const { rows } = await db.$client.query(
    `select count(*)::int as n from ${table} where ${condition}`,
  )
  return rows[0].n as number
}

const countMails = () => count('mails', `template = 'payment-reminder'`)
const countEvents = () => count('events', `type = 'payment_link.reminded'`)
const countWaiting = () =>
  count('pg_stat_activity', `wait_event_type = 'Lock' and datname = current_database()`)

/** Links that were sent to an address, and are due at noon in some days. */
async function openDueLinks() {
  const company = await newCompany()
  const links = await Promise.all(
    Array.from({ length: LINKS }, () => newLink({ remindEveryDays: 3 }, company)),
  )
  await db.insert(linkRecipients).values(
    links.map(({ id }) => ({
      ...{ id: newId(), companyId: company.id, linkId: id, token: id },
      ...{ email: 'maria@exemplo.com.br', sentAt: clock.now().toISOString() },
    })),
  )
  // Noon in São Paulo.
  return new Date(Math.ceil(clock.now().getTime() / DAY_MS) * DAY_MS + 4 * DAY_MS + 15 * HOUR_MS)
}

test('each link is reminded of once, whenever the process that reminds is killed', async () => {
  const noon = await openDueLinks()

  // Killed within its first transaction, which has claimed links and waits to write an e-mail.
  const holder = await db.$client.connect()
  await holder.query('begin; lock table mails in share mode')
  const first = startReminding(noon)
  await expect.poll(countWaiting).toBe(1)
  await first.kill()
  await holder.query('rollback')
  holder.release()
  await expect.poll(countWaiting).toBe(0)
  const afterFirst = [await countMails(), await countEvents()]

  // Killed between two transactions, or within the second.
  const second = startReminding(noon)
  await expect.poll(countEvents).toBeGreaterThan(0)
  await second.kill()
  const others = [startReminding(noon), startReminding(noon)]
  await Promise.all(others.map(({ ended }) => ended))

  expect(afterFirst).toEqual([0, 0])
  expect([await countEvents(), await count('payment_links', 'reminders_sent = 1')]).toEqual([
    LINKS,
    LINKS,
  ])
  expect(await count('link_recipients', 'reminders_sent = 1')).toBe(LINKS)
})
