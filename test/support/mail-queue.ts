// The outbox with a mail in it, and a mail server that is away or answers as it likes.
import { onTestFinished, vi } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { mails } from '../../src/database/tables.ts'
import { queueMail } from '../../src/mail/outbox.ts'
import { startMailWorker } from '../../src/mail/worker.ts'
import { buildMailNeeds, openSmtpServer } from './smtp-server.ts'
import type { TestApp } from './test-app.ts'

const LINK = 'https://vintem.example.com/painel/senha/segredo-0123456789'

export function openMailQueue(testApp: TestApp) {
  const { db, clock, needs } = testApp

  /** A mail that is due, good for an hour, and what has become of it. */
  async function queued(email = 'ana@example.com') {
    await queueMail(
      needs.mail,
      db,
      { companyId: null, now: clock.now() },
      { template: 'password-reset', recipient: email, data: { secretLink: LINK } },
    )
    return findQueued(email)
  }

  /** One that is as good in a week. */
  async function queuedNotice(recipient = 'ana@example.com') {
    const now = clock.now()
    const who = { companyName: 'Padaria Sol', actor: 'bia@example.com', subject: null }
    const where = { device: null, address: null, at: now.toISOString(), testMode: false }
    const reader = { isSelf: true, isOwner: false }
    const data = { what: 'password_changed', ...reader, ...who, ...where } as const
    const mail = { template: 'security-notice', recipient, data } as const
    await queueMail(needs.mail, db, { companyId: null, now }, mail)
    return findQueued(recipient)
  }

  async function findQueued(email: string) {
    const [{ id } = { id: '' }] = await db.select().from(mails).where(eq(mails.recipient, email))
    return { id, read: async () => (await db.select().from(mails).where(eq(mails.id, id)))[0]! }
  }

  function startLoggedWorker(url: string) {
    const log = { warn: vi.fn(), info: vi.fn() }
    const stop = startMailWorker({ ...buildMailNeeds(testApp, url), log, pollMs: 20 })
    onTestFinished(() => stop(0))
    return { stop, log }
  }

  return { queued, queuedNotice, startLoggedWorker }
}

/** An address that nothing listens at. */
export async function findEmptyPort() {
  const { close, url, port } = await openSmtpServer()
  await close()
  return { url, port }
}

export function refuseWith(responseCode: number) {
  return Object.assign(new Error('sem conversa com ana@example.com'), { responseCode })
}
