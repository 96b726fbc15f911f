// The outbox is emptied: past refusals, by each process that is alive, and never forgotten.
import { beforeEach, expect, test, vi } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { mails } from '../../src/database/tables.ts'
import { claimMails, MAIL_QUEUE, recordMailSent } from '../../src/mail/claim.ts'
import { startMailWorker } from '../../src/mail/worker.ts'
import { LEASE_MS, releaseClaim } from '../../src/queue/lease.ts'
import { openMailQueue, refuseWith } from '../support/mail-queue.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock } = testApp
const { queued, queuedNotice } = openMailQueue(testApp)

const SOON = { timeout: 10_000 }

beforeEach(async () => {
  await db.delete(mails)
})

test('a mail is sent once, and what it told is not kept', async () => {
  const smtpServer = await openSmtpServer()
  const { id, read } = await queued()

  const attempts = await sendAllMails(buildMailNeeds(testApp, smtpServer.url))
  const again = await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  expect([attempts, again]).toEqual([1, 0])
  expect(smtpServer.received).toMatchObject([{ messageId: `<${id}@vintem.example.com>` }])
  expect(smtpServer.received[0]!.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  )
  expect(await read()).toMatchObject({ attempts: 1, dueAt: null, failure: null, data: {} })
  expect((await read()).sentAt).not.toBeNull()
})

test('a mail is dated by the database’s clock, however far off this machine’s own is', async () => {
  const smtpServer = await openSmtpServer()
  await queuedNotice()
  clock.offsetMs += 6 * 3_600_000

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const dated = Date.parse(String(smtpServer.received[0]!.date))
  expect(Math.abs(dated - clock.now().getTime())).toBeLessThan(60_000)
})

test('a recipient whom the server refuses for good is tried once', async () => {
  const smtpServer = await openSmtpServer({
    onRcptTo: (_to, _session, done) => done(refuseWith(550)),
  })
  const { read } = await queued()
  const other = await queued('com espaço@example.com')

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  expect(await read()).toMatchObject({ attempts: 1, dueAt: null, sentAt: null, data: {} })
  expect((await read()).failure).toMatch(/550/)
  expect(await other.read()).toMatchObject({ attempts: 1, dueAt: null })
  expect(testApp.logged.join('')).not.toContain('ana@example.com')
})

test('a mail that this version does not know is given up, and says why', async () => {
  const smtpServer = await openSmtpServer()
  const { id, read } = await queued()
  await db.update(mails).set({ template: 'month-closed' }).where(eq(mails.id, id))

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const failure = 'no mail is called month-closed'
  expect(await read()).toMatchObject({ attempts: 1, dueAt: null, sentAt: null, failure })
  expect(smtpServer.received).toEqual([])
})

test.each([
  [
    'that is busy',
    { onRcptTo: (_to: unknown, _s: unknown, done: (e: Error) => void) => done(refuseWith(450)) },
  ],
  [
    'that wants no mail of this sender',
    { onMailFrom: (_f: unknown, _s: unknown, done: (e: Error) => void) => done(refuseWith(550)) },
  ],
  [
    'with a full disk',
    {
      onData: (stream: NodeJS.ReadableStream, _s: unknown, done: (e: Error) => void) =>
        void stream.resume().on('end', () => done(refuseWith(452))),
    },
  ],
])('a server %s is tried again', async (_what, behaviour) => {
  const smtpServer = await openSmtpServer(behaviour as object)
  const { read } = await queued()

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  expect(await read()).toMatchObject({ attempts: 1, sentAt: null })
  expect((await read()).dueAt).not.toBeNull()
})

test('one address is never read as two', async () => {
  const smtpServer = await openSmtpServer()
  await queued('ana@example.com,bia@example.com')
  await queued('Ana <ana@example.com>')
  await queued('ana@example.com\r\nBcc: bia@example.com')

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  expect(smtpServer.received).toEqual([])
  expect(await db.$count(mails, eq(mails.failure, 'not an e-mail address'))).toBe(3)
})

test('the mail of a worker that was killed is sent when its lease ends, by another', async () => {
  const smtpServer = await openSmtpServer()
  const { read } = await queued()
  const sending = buildMailNeeds(testApp, smtpServer.url)
  const [stale] = await claimMails(db, clock.now(), 10)

  expect(await sendAllMails(sending)).toBe(0)
  clock.offsetMs += LEASE_MS + 1_000
  await sendAllMails(sending)
  await releaseClaim(db, MAIL_QUEUE, stale!, clock.now())
  await recordMailSent(db, stale!, new Date(0))

  expect(smtpServer.received).toHaveLength(1)
  expect(await read()).toMatchObject({ attempts: 2, dueAt: null })
  expect(await read()).not.toMatchObject({ sentAt: new Date(0).toISOString() })
})

test('stopping does not wait for a server that hangs; the mail goes back', async () => {
  const heard = vi.fn()
  const smtpServer = await openSmtpServer({ onRcptTo: heard })
  const { read } = await queued()
  const stop = startMailWorker({ ...buildMailNeeds(testApp, smtpServer.url), pollMs: 20 })
  await expect.poll(() => heard.mock.calls.length, SOON).toBe(1)

  const startedAt = performance.now()
  await stop(100)

  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(await read()).toMatchObject({ attempts: 0, sentAt: null, failure: null })
  expect(await claimMails(db, clock.now(), 1)).toHaveLength(1)
})
