// E-mails outlive the program that should have sent them.
import { expect, onTestFinished, test } from 'vitest'
import { companies, mails } from '../../src/database/tables.ts'
import { buildTestCard } from '../support/payer.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { startService } from '../support/processes/service.ts'
import {
  createTestMerchant,
  fillCheckoutForm,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'
import { openSmtpServer } from '../support/smtp-server.ts'

const { db, url } = await openDatabase()
const SOON = { timeout: 10_000 }

async function start(smtpUrl: string) {
  const from = { MAIL_FROM: 'Padaria Sol <caixa@sol.example.com>' }
  const service = await startService(url, { ...TRUSTING_ENVIRONMENT, ...from, SMTP_URL: smtpUrl })
  onTestFinished(() => void service.end('SIGKILL'))
  return service
}

test('what a killed program was sending is sent by the next one', async () => {
  const held: unknown[] = []
  const stuck = await openSmtpServer({ onRcptTo: (to) => void held.push(to) })
  const killed = await start(stuck.url)
  const testMerchant = await createTestMerchant(db, killed.baseUrl)
  // In the test environment e-mails go to the company's own people alone.
  const email = 'caixa@sol.example.com'
  await db.update(companies).set({ noticeEmail: email })
  const form = { ...buildTestCard('ok'), email }
  const submit = await fillCheckoutForm(killed.baseUrl, testMerchant.slug, form)
  await submit()
  await expect.poll(() => held.length, SOON).toBe(2)

  await killed.end('SIGKILL')
  const smtpServer = await openSmtpServer()
  await start(smtpServer.url)
  await db.update(mails).set({ dueAt: new Date().toISOString() })

  await expect.poll(() => smtpServer.received.length, SOON).toBe(2)
  expect(smtpServer.received.map(({ from }) => from)).toMatchObject([
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
