// E-mails outlive the program that should have sent them.
import { expect, onTestFinished, test } from 'vitest'
import { companies, mails } from '../../src/database/tables.ts'
import { openDatabase } from '../support/database.ts'
import { card } from '../support/payer.ts'
import { openPostbox } from '../support/postbox.ts'
import { startService } from '../support/service.ts'
import { fillIn, openShop, TRUSTING } from '../support/traffic.ts'

const { db, url } = await openDatabase()
const SOON = { timeout: 10_000 }

async function start(smtpUrl: string) {
  const from = { MAIL_FROM: 'Padaria Sol <caixa@sol.example.com>' }
  const service = await startService(url, { ...TRUSTING, ...from, SMTP_URL: smtpUrl })
  onTestFinished(() => void service.end('SIGKILL'))
  return service
}

test('what a killed program was sending is sent by the next one', async () => {
  const held: unknown[] = []
  const stuck = await openPostbox({ onRcptTo: (to) => void held.push(to) })
  const killed = await start(stuck.url)
  const shop = await openShop(db, killed.baseUrl)
  await db.update(companies).set({ noticeEmail: 'caixa@sol.example.com' })
  const submit = await fillIn(killed.baseUrl, shop.slug, card('ok'))
  await submit()
  await expect.poll(() => held.length, SOON).toBe(2)

  await killed.end('SIGKILL')
  const postbox = await openPostbox()
  await start(postbox.url)
  await db.update(mails).set({ dueAt: new Date().toISOString() })

  await expect.poll(() => postbox.received.length, SOON).toBe(2)
  expect(postbox.received.map(({ from }) => from)).toMatchObject([
    { name: 'Padaria Sol', address: 'caixa@sol.example.com' },
    { name: 'Padaria Sol', address: 'caixa@sol.example.com' },
  ])
  await expect
    .poll(async () =>
      (await db.select().from(mails)).map(({ attempts, dueAt }) => [attempts, dueAt]),
    )
    .toEqual([
      [2, null],
      [2, null],
    ])
})
