// A company sends a link by e-mail.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { MINUTE_MS } from '../../../src/database/instant.ts'
import {
  companies,
  events,
  linkRecipients,
  mails,
  transactions,
} from '../../../src/database/tables.ts'
import { requireDueLinkMail } from '../../../src/payment-links/sending/reminders.ts'
import { LINKS_PATH, openLinkApi } from '../../support/link-api.ts'
import { MARIA, openCheckout, PIX } from '../../support/payer.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../../support/smtp-server.ts'
import { openTestApp, startTestApp, type TestCompany } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { app, db, clock, newCompany } = testApp
const { newLink, pay, editLink } = openCheckout(testApp)
const { archive, inHours } = openLinkApi(testApp)

/** A company, and one of its people: others get no e-mail in the test environment. */
async function openSender() {
  const company = await newCompany()
  const ana = `ana-${company.id.slice(-12)}@sol.example.com`
  await writeUser(db, { companyId: company.id, email: ana, role: 'owner' })
  return { company, ana }
}

const send = (company: TestCompany, { id }: { id: string }, body: object = {}) =>
  company.post(`${LINKS_PATH}/${id}/send`, body)

const readLink = async (company: TestCompany, { id }: { id: string }) =>
  (await company.get(`${LINKS_PATH}/${id}`)).json()

test('a link goes to an address, from the company, answered to its contact, with a way to stop', async () => {
  const { company, ana } = await openSender()
  await db
    .update(companies)
    .set({ supportEmail: 'ajuda@sol.example.com' })
    .where(eq(companies.id, company.id))
  const link = await newLink({ expiresAt: inHours(48) }, company)
  const smtpServer = await openSmtpServer()

  const answer = await send(company, link, { email: ` Ana <${ana.toUpperCase()}>,` })
  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))

  const [recipient] = await db
    .select()
    .from(linkRecipients)
    .where(eq(linkRecipients.linkId, link.id))
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      ...{ email: ana, mailed: true, sentAt: recipient!.sentAt, remindedAt: null },
      ...{ remindersSent: 0, stoppedAt: null, refusedAt: null },
    },
  ])
  const [mail] = smtpServer.received
  const stopUrl = `http://localhost:3000/pagar/${link.slug}/emails/${recipient!.token}`
  expect(mail).toMatchObject({
    subject: '[Teste] Link de pagamento: R$ 100,00 para Padaria Sol',
    from: { name: 'Padaria Sol', address: 'nao-responda@vintem.example.com' },
    to: [{ address: ana }],
    replyTo: [{ address: 'ajuda@sol.example.com' }],
  })
  const headers = Object.fromEntries(mail!.headers.map(({ key, value }) => [key, value]))
  expect(headers).toMatchObject({
    'list-unsubscribe': `<${stopUrl}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  for (const part of [`/pagar/${link.slug}`, stopUrl, 'Bolo de cenoura', 'Pague até'])
    expect([mail!.text, mail!.html]).toEqual([
      expect.stringContaining(part),
      expect.stringContaining(part),
    ])
  const { mailed: _, ...shown } = answer.json()
  expect((await readLink(company, link)).recipients).toEqual([shown])
  const [event] = await db.select().from(events).where(eq(events.companyId, company.id))
  expect(JSON.parse(event!.body)).toMatchObject({
    type: 'payment_link.sent',
    data: {
      paymentLink: { id: link.id },
      recipient: { customerId: null, email: ana, mailed: true },
    },
  })
})

test("without an address it goes to the link's customer, in the language in which they paid", async () => {
  const { company, ana } = await openSender()
  const { row } = await pay(await newLink({}, company), { ...PIX, email: ana })
  await db.update(transactions).set({ locale: 'es' }).where(eq(transactions.id, row.id))
  const link = await newLink({ linkedCustomerId: row.customerId }, company)

  const answer = await send(company, link)

  expect(answer.json()).toMatchObject({ email: ana, mailed: true })
  const queued = await db.select().from(mails).where(eq(mails.recipient, ana))
  expect(queued).toMatchObject([{ template: 'payment-link', data: { locale: 'es' } }])
})

test('in the test environment a stranger gets no e-mail, which the answer and the event say', async () => {
  const { company } = await openSender()
  const link = await newLink({}, company)

  const answer = await send(company, link, { email: MARIA.email })

  expect(answer.json()).toMatchObject({ email: MARIA.email, mailed: false })
  expect(await db.select().from(mails).where(eq(mails.companyId, company.id))).toEqual([])
  const [event] = await db.select().from(events).where(eq(events.companyId, company.id))
  expect(JSON.parse(event!.body).data.recipient).toMatchObject({ mailed: false })
})

test('a request that is sent again sends no second e-mail, though the first answer was lost', async () => {
  const { company, ana } = await openSender()
  const link = await newLink({}, company)
  const request = () =>
    app.inject({
      method: 'POST',
      url: `${LINKS_PATH}/${link.slug}/send`,
      headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': 'envio-1' },
      payload: { email: ana },
    })
  const first = await request()
  await db.$client.query(
    "update idempotency_keys set status = null, body = null, leased_until = 'epoch' where key = 'envio-1'",
  )
  clock.offsetMs += MINUTE_MS

  const again = await request()

  expect([again.statusCode, again.json()]).toEqual([200, first.json()])
  expect(await db.select().from(mails).where(eq(mails.recipient, ana))).toHaveLength(1)
})

test.each([
  ['is archived', (link) => archive(link.company, link.id), 409, 'link_archived'],
  ['is paused', ({ id }) => editLink(id, { status: 'inactive' }), 409, 'link_not_payable'],
  ['is completed', ({ id }) => editLink(id, { status: 'completed' }), 409, 'link_not_payable'],
  [
    'has expired',
    ({ id }) => editLink(id, { expiresAt: new Date(0).toISOString() }),
    409,
    'link_not_payable',
  ],
  [
    'was stopped by who reads there',
    ({ id, companyId }) =>
      db.insert(linkRecipients).values({
        ...{ id: newId(), companyId, linkId: id, email: MARIA.email, token: id },
        stoppedAt: clock.now().toISOString(),
      }),
    409,
    'recipient_stopped',
  ],
] as [string, (link: SentLink) => Promise<unknown>, number, string][])(
  'a link that %s is not sent',
  async (_state, change, status, code) => {
    const company = await newCompany()
    const link = await newLink({}, company)
    await change({ ...link, company })

    const refused = await send(company, link, { email: MARIA.email })

    expect([refused.statusCode, refused.json().code]).toEqual([status, code])
    expect(refused.json().message).toMatch(/\.$/)
    expect(await db.select().from(mails).where(eq(mails.companyId, company.id))).toEqual([])
  },
)

type SentLink = { id: string; companyId: string; company: TestCompany }

test('without a customer it needs an address, and an address is one', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)

  const refused = await Promise.all(
    [{}, { email: null }, { email: '' }, { email: 'maria' }].map((body) =>
      send(company, link, body),
    ),
  )

  expect(refused.map((answer) => answer.json().errors?.[0]?.field)).toEqual(Array(4).fill('email'))
  expect((await company.post(`${LINKS_PATH}/desconhecido/send`, {})).statusCode).toBe(404)
})

test('where no mail server is configured nothing is sent', async () => {
  const quiet = await startTestApp()
  const company = await quiet.newCompany()
  const link = await openCheckout(quiet).newLink({}, company)

  const refused = await send(company, link, { email: MARIA.email })

  expect([refused.statusCode, refused.json().code]).toEqual([409, 'email_unavailable'])
})

test('the same link goes to the same address once in ten minutes', async () => {
  const company = await newCompany()
  const [link, other] = [await newLink({}, company), await newLink({}, company)]
  const statusOf = async (one: { id: string }, email: string) =>
    (await send(company, one, { email })).statusCode

  expect(await statusOf(link, MARIA.email)).toBe(200)
  expect(await statusOf(link, MARIA.email.toUpperCase())).toBe(429)
  expect(await statusOf(link, 'jose@exemplo.com.br')).toBe(200)
  expect(await statusOf(other, MARIA.email)).toBe(200)
  clock.offsetMs += 10 * MINUTE_MS
  expect(await statusOf(link, MARIA.email)).toBe(200)
})

test('an address that the mail server refuses for good is told, until it is sent there anew', async () => {
  const { company, ana } = await openSender()
  const link = await newLink({}, company)
  const refusal = Object.assign(new Error('no such user'), { responseCode: 550 })
  const { url } = await openSmtpServer({ onRcptTo: (_to, _session, done) => done(refusal) })
  await send(company, link, { email: ana })

  await sendAllMails(buildMailNeeds(testApp, url))

  const refusedAt = async () => (await readLink(company, link)).recipients[0].refusedAt
  expect(await refusedAt()).toMatch(/^\d{4}-/)
  clock.offsetMs += 10 * MINUTE_MS
  await send(company, link, { email: ana })
  expect(await refusedAt()).toBeNull()
})

test('an e-mail that waits is not sent once its link cannot be paid, and no address is said to refuse it', async () => {
  const { company, ana } = await openSender()
  const link = await newLink({}, company)
  await send(company, link, { email: ana })
  await editLink(link.id, { status: 'inactive' })
  const smtpServer = await openSmtpServer()

  const requireDue = (mail: Parameters<typeof requireDueLinkMail>[1]) =>
    requireDueLinkMail(db, mail, clock.now())
  await sendAllMails({ ...buildMailNeeds(testApp, smtpServer.url), requireDue })

  expect(smtpServer.received.filter(({ envelope }) => envelope.to.includes(ana))).toEqual([])
  const [mail] = await db.select().from(mails).where(eq(mails.recipient, ana))
  expect(mail).toMatchObject({ dueAt: null, sentAt: null })
  expect((await readLink(company, link)).recipients).toMatchObject([{ refusedAt: null }])
})
