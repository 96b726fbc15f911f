// What is written to the outbox, how it waits there, and when it is forgotten.
import { beforeEach, expect, test } from 'vitest'
import { ne } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { mails } from '../../src/database/tables.ts'
import { type NewMail, purgeMails, queueMail } from '../../src/mail/outbox.ts'
import { openCheckout } from '../support/payer.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'
import { writeUser } from '../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { db, clock, needs, newCompany } = testApp
const { mail } = needs
const { editCompany } = openCheckout(testApp)

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

const HOUR_MS = 3_600_000
const at = clock.now().toISOString()
const DELIVERY = {
  ...{
    deliveryId: newId(),
    url: 'https://loja.example',
    eventType: 'transaction.approved' as const,
  },
  ...{ attempts: 10, outcome: 'timeout' as const, statusCode: null, failedAt: at, testMode: true },
}
const PAUSED = { linkId: newId(), linkTitle: 'Bolo', pix: true, until: at, testMode: true }
const SPARING: [NewMail, number][] = [
  [{ template: 'cards-paused', data: PAUSED }, 6 * HOUR_MS],
  [{ template: 'webhook-failed', data: DELIVERY }, 6 * HOUR_MS],
  [{ template: 'payments-unmatched', data: { amountsCents: [1], testMode: true } }, 24 * HOUR_MS],
]

test.each(SPARING)(
  'of one thing a company reads once in a while: $template',
  async (notice, quietMs) => {
    const { id: companyId } = await newCompany()
    await editCompany(companyId, { noticeEmail: 'caixa@sol.example.com' })
    const queue = (now: Date, subjectId: string) =>
      queueMail(mail, db, { companyId, now }, { ...notice, subjectId })
    const now = clock.now()
    const later = (ms: number) => new Date(now.getTime() + ms)
    const [subject, other] = [newId(), newId()]

    const written = [
      await queue(now, subject),
      await queue(later(quietMs - 1), subject),
      await queue(now, other),
      await queue(later(quietMs), subject),
    ]

    expect(written).toEqual([1, 0, 1, 1])
  },
)

const PAYMENT = {
  ...{ transactionId: newId(), linkTitle: 'Bolo', payerName: 'Maria', method: 'pix' as const },
  ...{ amountCents: 100, totalCents: 100, installments: 1, installmentCents: 100, card: null },
  ...{ endToEndId: null, paidAt: at, testMode: false, receiptUrl: '', paidLate: false },
}
const PAYER = 'maria@example.com'
const RECEIPT: NewMail = { template: 'receipt', recipient: PAYER, data: PAYMENT }
const NOTICES: NewMail[] = [
  { template: 'payment', data: PAYMENT },
  RECEIPT,
  { template: 'webhook-failed', data: DELIVERY },
]

test.each([
  ['mailReceipts', ['payment', 'webhook-failed']],
  ['mailPayments', ['receipt', 'webhook-failed']],
  ['mailFailures', ['payment', 'receipt']],
])('%s turned off sends the others', async (setting, left) => {
  const { realId: companyId } = await newCompany()
  await editCompany(companyId, { noticeEmail: 'caixa@sol.example.com', [setting]: false })

  await queueMail(mail, db, { companyId, now: clock.now() }, ...NOTICES)

  const written = await db.select().from(mails)
  expect(written.map(({ template }) => template).sort()).toEqual(left)
})

test('notices go to the address that the company chose, or to each of its owners', async () => {
  const [chosen, owned] = [await newCompany(), await newCompany()]
  await editCompany(chosen.id, { noticeEmail: 'caixa@sol.example.com' })
  const people = { a: 'owner', b: 'owner', c: 'member', d: 'finance' } as const
  for (const company of [chosen, owned]) {
    for (const [name, role] of Object.entries(people)) {
      await writeUser(db, {
        companyId: company.id,
        email: `${name}-${company.id}@sol.example.com`,
        role,
      })
    }
    await queueMail(mail, db, { companyId: company.id, now: clock.now() }, NOTICES[0]!)
  }

  const written = await db.select().from(mails)
  expect(written.map(({ recipient }) => recipient).sort()).toEqual(
    [
      `a-${owned.id}@sol.example.com`,
      `b-${owned.id}@sol.example.com`,
      'caixa@sol.example.com',
    ].sort(),
  )
})

// Anybody pays in the test environment, and types any address.
test.each([
  ['a stranger of the test environment', 'id', () => PAYER, 0],
  ['an owner of the company, in other letters', 'id', (owner: string) => owner.toUpperCase(), 1],
  ['the address of its notices', 'id', () => 'caixa@sol.example.com', 1],
  ['any payer of the real environment', 'realId', () => PAYER, 1],
] as const)('a receipt to %s is written or not', async (_who, environment, type, count) => {
  const company = await newCompany()
  const owner = `dona-${company.id}@sol.example.com`
  await writeUser(db, { companyId: company.id, email: owner, role: 'owner' })
  await editCompany(company.id, { noticeEmail: 'caixa@sol.example.com' })
  const context = { companyId: company[environment], now: clock.now() }
  const receipt = { ...RECEIPT, recipient: type(owner) }

  expect(await queueMail(mail, db, context, receipt)).toBe(count)
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
