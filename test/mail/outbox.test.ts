// What is written to the outbox, how it waits there, and when it is forgotten.
import { beforeEach, expect, test } from 'vitest'
import { ne } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { mails } from '../../src/database/tables.ts'
import { purgeMails, queueMail } from '../../src/mail/outbox.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs, newCompany } = testApp
const { mail } = needs

const LINK = 'https://vintem.example.com/painel/senha/segredo-0123456789'
const LOST = {
  template: 'password-reset',
  recipient: 'ana@example.com',
  data: { secretLink: LINK },
} as const

beforeEach(async () => {
  await db.delete(mails)
})

test('what lets somebody in is encrypted while it waits, and arrives whole', async () => {
  const company = await newCompany('Escola Vila')
  const now = clock.now()
  await queueMail(mail, db, { companyId: null, now }, LOST)
  await queueMail(
    mail,
    db,
    { companyId: company.id, now },
    {
      template: 'invitation',
      subjectId: newId(),
      recipient: 'bia@example.com',
      data: { secretLink: LINK, invitedBy: 'ana@example.com', role: 'member' },
    },
  )
  const stored = await testApp.stored()
  const smtpServer = await openSmtpServer()

  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const [reset, invited] = ['ana@example.com', 'bia@example.com'].map(
    (address) => smtpServer.received.find(({ to }) => to?.[0]?.address === address)!,
  )
  expect(stored).not.toContain('segredo-0123456789')
  expect(reset!.subject).toBe('Crie uma nova senha do Vintém')
  expect(invited!.subject).toBe('Convite para Escola Vila no Vintém')
  for (const { text, html } of [reset!, invited!]) {
    expect(text).toContain(LINK)
    expect(html).toContain(`href="${LINK}"`)
  }
  expect(invited!.text).toContain('ana@example.com convidou você')
})

test('where no mail is sent a lost password writes nothing', async () => {
  await queueMail(null, db, { companyId: null, now: clock.now() }, LOST)

  expect(await db.$count(mails)).toBe(0)
})

test('a link whose cards are paused is told of once in six hours', async () => {
  const { id: companyId } = await newCompany()
  await db.$client.query("update companies set notice_email = 'caixa@sol.example.com'")
  const link = { linkId: newId(), linkTitle: 'Bolo', pix: true, testMode: false }
  const tell = (now: Date, linkId = link.linkId) =>
    queueMail(
      mail,
      db,
      { companyId, now },
      {
        template: 'cards-paused',
        subjectId: linkId,
        data: { ...link, linkId, until: now.toISOString() },
      },
    )
  const now = clock.now()
  const quietMs = 6 * 3_600_000
  const later = (ms: number) => new Date(now.getTime() + ms)

  await tell(now)
  await tell(later(quietMs - 1))
  expect(await db.$count(mails)).toBe(1)
  await tell(now, newId())
  await tell(later(quietMs))

  expect(await db.$count(mails)).toBe(3)
})

test('mails that were sent or given up are forgotten after thirty days, and no others', async () => {
  const now = clock.now()
  const keptMs = 30 * 86_400_000
  await queueMail(mail, db, { companyId: null, now }, LOST)
  await queueMail(mail, db, { companyId: null, now }, LOST)
  const [, waiting] = await db.select().from(mails)
  await db.update(mails).set({ dueAt: null }).where(ne(mails.id, waiting!.id))

  await purgeMails(db, new Date(now.getTime() + keptMs), needs)
  expect(await db.$count(mails)).toBe(2)
  await purgeMails(db, new Date(now.getTime() + keptMs + 1), needs)

  expect((await db.select().from(mails)).map(({ id }) => id)).toEqual([waiting!.id])
})
