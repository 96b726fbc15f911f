// A mail server that is away, hangs or puts mails off: nothing is lost, and it is told once.
import { beforeEach, expect, test, vi } from 'vitest'
import { mails } from '../../src/database/tables.ts'
import { FIRST_RETRY_MS, MAIL_LIFETIME_MS } from '../../src/mail/claim.ts'
import { findEmptyPort, openMailQueue, refuseWith } from '../support/mail-queue.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock } = testApp
const { queued, queuedNotice, startLoggedWorker } = openMailQueue(testApp)

const DAY_MS = 24 * 3_600_000
const SOON = { timeout: 10_000 }

beforeEach(async () => {
  await db.delete(mails)
})

test('while the server is away a mail waits ever longer, and is sent when it is back', async () => {
  const gone = await findEmptyPort()
  const { read } = await queued()
  const sending = buildMailNeeds(testApp, gone.url)

  const failedAt = clock.now().getTime()
  await sendAllMails(sending)
  const waiting = await read()
  clock.offsetMs += FIRST_RETRY_MS - 1_000
  expect(await sendAllMails(sending)).toBe(0)
  const smtpServer = await openSmtpServer({ port: gone.port })
  clock.offsetMs += 2_000
  await sendAllMails(sending)

  expect(waiting).toMatchObject({ attempts: 1, sentAt: null })
  expect(waiting.failure).toBe('unreachable')
  expect(Date.parse(waiting.dueAt!) - failedAt - FIRST_RETRY_MS).toBeLessThan(5_000)
  expect(smtpServer.received).toHaveLength(1)
  expect(await read()).toMatchObject({ attempts: 2, dueAt: null, failure: null })
})

test('a server that was away for a weekend is used again within a quarter of an hour', async () => {
  const gone = await findEmptyPort()
  const { read } = await queuedNotice()
  const sending = buildMailNeeds(testApp, gone.url)

  await sendAllMails(sending)
  clock.offsetMs += 3 * DAY_MS
  await sendAllMails(sending)
  const smtpServer = await openSmtpServer({ port: gone.port })
  clock.offsetMs += 15 * 60_000 + 1_000
  await sendAllMails(sending)

  expect(smtpServer.received).toHaveLength(1)
  expect(await read()).toMatchObject({ attempts: 3, dueAt: null, failure: null })
})

test('who puts a mail off is asked every six hours at least', async () => {
  const smtpServer = await openSmtpServer({
    onRcptTo: (_to, _session, done) => done(refuseWith(451)),
  })
  const { read } = await queuedNotice()
  const sending = buildMailNeeds(testApp, smtpServer.url)

  await sendAllMails(sending)
  clock.offsetMs += 3 * DAY_MS
  const failedAt = clock.now().getTime()
  await sendAllMails(sending)

  const { dueAt, failure } = await read()
  expect(failure).toMatch(/^451/)
  expect(Math.abs(Date.parse(dueAt!) - failedAt - 6 * 3_600_000)).toBeLessThan(5_000)
})

test('a mail that could not be sent in five days is given up', async () => {
  const gone = await findEmptyPort()
  const { read } = await queuedNotice()
  const sending = buildMailNeeds(testApp, gone.url)

  await sendAllMails(sending)
  clock.offsetMs += MAIL_LIFETIME_MS
  await sendAllMails(sending)
  clock.offsetMs += DAY_MS

  expect(await sendAllMails(sending)).toBe(0)
  expect(await read()).toMatchObject({ dueAt: null, sentAt: null, data: {} })
  expect((await read()).failure).toBe('unreachable')
})

test('a link that is over is sent to nobody', async () => {
  const smtpServer = await openSmtpServer()
  const { read } = await queued()
  clock.offsetMs += 3_600_000

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  expect(smtpServer.received).toEqual([])
  expect(await read()).toMatchObject({ dueAt: null, sentAt: null, data: {} })
})

test('an address that is put off is no outage, and hides none', async () => {
  const smtpServer = await openSmtpServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('ana') ? done(refuseWith(451)) : done(),
  })
  const { log } = startLoggedWorker(smtpServer.url)
  const putOff = await queuedNotice('ana@example.com')
  await expect.poll(async () => (await putOff.read()).failure, SOON).toMatch(/^451/)
  expect(log.warn).not.toHaveBeenCalled()

  await smtpServer.close()
  const other = await queuedNotice('bia@example.com')

  await expect.poll(async () => (await other.read()).failure, SOON).toBe('unreachable')
  await expect.poll(() => log.warn.mock.calls.length, SOON).toBe(1)
})

test('a wrong password at the server is the operator’s to mend, and loses no mail', async () => {
  const smtpServer = await openSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'certa' ? done(null, { user: 'vintem' }) : done(refuseWith(535)),
  })
  const { read } = await queued()
  const as = (password: string) => smtpServer.url.replace('//', `//vintem:${password}@`)

  await sendAllMails(buildMailNeeds(testApp, as('errada')))
  const waiting = await read()
  clock.offsetMs += FIRST_RETRY_MS + 1_000
  await sendAllMails(buildMailNeeds(testApp, as('certa')))

  expect(waiting.dueAt).not.toBeNull()
  expect(smtpServer.received).toHaveLength(1)
})

test('an outage of the mail server is logged once, and mails go on after it', async () => {
  const gone = await findEmptyPort()
  const { log } = startLoggedWorker(gone.url)
  const { read } = await queued()
  await expect.poll(async () => (await read()).failure, SOON).toBe('unreachable')
  const other = await queued('bia@example.com')
  await expect.poll(async () => (await other.read()).failure, SOON).toBe('unreachable')

  const smtpServer = await openSmtpServer({ port: gone.port })
  clock.offsetMs += FIRST_RETRY_MS + 1_000

  await expect.poll(() => smtpServer.received.length, SOON).toBe(2)
  await expect.poll(() => log.info.mock.calls.length, SOON).toBe(1)
  expect(log.warn).toHaveBeenCalledTimes(1)
})

test('a mail that is given up while the server is away does not end the outage', async () => {
  const { log } = startLoggedWorker((await findEmptyPort()).url)
  const { read } = await queued()
  await expect.poll(async () => (await read()).failure, SOON).toBe('unreachable')

  await db.update(mails).set({ createdAt: new Date(0).toISOString(), dueAt: 'epoch' })
  await expect.poll(() => log.warn.mock.calls.length, SOON).toBe(2)

  expect(log.warn).toHaveBeenLastCalledWith(expect.anything(), 'an e-mail was given up')
  expect(log.info).not.toHaveBeenCalled()
})

test('stopping while the server hangs does not end the outage', async () => {
  const heard = vi.fn()
  const gone = await findEmptyPort()
  const { stop, log } = startLoggedWorker(gone.url)
  const { read } = await queued()
  await expect.poll(async () => (await read()).failure, SOON).toBe('unreachable')
  await openSmtpServer({ port: gone.port, onRcptTo: heard })
  clock.offsetMs += FIRST_RETRY_MS + 1_000
  await expect.poll(() => heard.mock.calls.length, SOON).toBe(1)

  await stop(100)

  expect(log.info).not.toHaveBeenCalled()
})
