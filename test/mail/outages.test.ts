// A mail server that is away, hangs or puts mails off: nothing is lost, and it is told once.
import { beforeEach, expect, test } from 'vitest'
import { mails } from '../../src/database/tables.ts'
import {
  claimMails,
  FIRST_RETRY_MS,
  MAIL_LIFETIME_MS,
  recordMailFailure,
} from '../../src/mail/claim.ts'
import { findEmptyPort, openMailQueue, refuseWith } from '../support/mail-queue.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock } = testApp
const { queued, queuedNotice, startLoggedWorker } = openMailQueue(testApp)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
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

// RFC 5321 asks for days of patience; a weekend's outage must not be followed by hours of waiting.
test.each([
  ['unreachable', 0, FIRST_RETRY_MS],
  ['unreachable', 3 * DAY_MS, 15 * 60_000],
  ['unreachable', MAIL_LIFETIME_MS - 1, 15 * 60_000],
  ['unreachable', MAIL_LIFETIME_MS, null],
  ['deferred', 2 * HOUR_MS, 2 * HOUR_MS],
  ['deferred', 3 * DAY_MS, 6 * HOUR_MS],
  ['rejected', 0, null],
  ['over', 0, null],
] as const)(
  'a mail that is %s %d ms after it was written waits %j ms',
  async (kind, ageMs, waitMs) => {
    const { read } = await queuedNotice()
    const [claimed] = await claimMails(db, clock.now(), 1)
    const now = new Date(Date.parse(claimed!.createdAt) + ageMs)

    await recordMailFailure(db, claimed!, { kind, reason: '451 mais tarde', now })

    const { dueAt, failure, data } = await read()
    expect(dueAt && Date.parse(dueAt) - now.getTime()).toBe(waitMs)
    expect(failure).toBe(kind === 'unreachable' ? kind : '451 mais tarde')
    if (waitMs === null) expect(data).toEqual({})
  },
)

test('a link that is over is not sent', async () => {
  const smtpServer = await openSmtpServer()
  const { read } = await queued()
  clock.offsetMs += HOUR_MS

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
  expect(log.warn).toHaveBeenCalledWith(
    expect.objectContaining({ reason: `connect ECONNREFUSED 127.0.0.1:${gone.port}` }),
    expect.stringContaining('e-mails cannot be sent for now'),
  )
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
