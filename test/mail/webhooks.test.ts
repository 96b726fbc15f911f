// A company hears by e-mail of webhooks that were given up, and not of each of them.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { companies, mails } from '../../src/database/tables.ts'
import { deliverDue } from '../../src/webhooks/deliveries/delivery.ts'
import { DELIVERY_RETRY_DELAYS_MS } from '../../src/webhooks/deliveries/record.ts'
import { answerWith, openReceiver, openWebhooks } from '../support/receiver.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'

const webhooks = await openWebhooks()
const { db, cipher, companyWith, emit, deliveriesOf } = webhooks
const needs = { ...webhooks.needs, mail: { cipher } }
const testApp = await openTestApp()

/** A company that reads its notices at this address. */
async function noticing(url: string, noticeEmail: string) {
  const company = await companyWith(url)
  await db.update(companies).set({ noticeEmail }).where(eq(companies.id, company.companyId))
  return company
}

/** Attempts what is due until it is given up, and answers when that was. */
async function giveUp(companyId: string, startedAt: Date, more: typeof needs = needs) {
  const { eventId } = await emit(companyId, startedAt)
  let at = startedAt
  for (;;) {
    await deliverDue(more, at)
    const [delivery] = await deliveriesOf(eventId)
    if (delivery!.status === 'failed') return { at, delivery: delivery! }
    at = new Date(delivery!.dueAt!)
  }
}

async function listMailsTo(recipient: string) {
  return db.select().from(mails).where(eq(mails.recipient, recipient))
}

test('after its last attempt the company is told which, why, and where to look', async () => {
  const receiver = await openReceiver(answerWith(500))
  const { companyId, endpointId } = await noticing(
    `${receiver.url}hook?token=segredo`,
    'a@example.com',
  )
  const { at, delivery } = await giveUp(companyId, new Date())
  const smtpServer = await openSmtpServer()

  await sendAllMails({ ...buildMailNeeds(testApp, smtpServer.url), db, cipher, now: () => at })

  const [told] = smtpServer.received
  expect(smtpServer.received).toHaveLength(1)
  expect(told).toMatchObject({
    subject: `[Teste] Webhook não entregue em 127.0.0.1:${receiver.port}`,
    envelope: { to: ['a@example.com'] },
  })
  for (const body of [told!.text!, told!.html!]) {
    expect(body).toContain(`/painel/integracoes/entregas/${delivery.id}`)
    expect(body).toContain(`${DELIVERY_RETRY_DELAYS_MS.length + 1} vezes`)
    expect(body).toContain('transaction.approved')
    expect(body).toContain('HTTP 500')
    expect(body).not.toContain('segredo')
  }
  expect(await listMailsTo('a@example.com')).toMatchObject([{ subjectId: endpointId }])
})

test('of many that are given up one is told in six hours for each endpoint', async () => {
  const receiver = await openReceiver(answerWith(410))
  const company = await noticing(receiver.url, 'b@example.com')
  const other = await noticing(receiver.url, 'c@example.com')
  const start = new Date()
  for (let i = 0; i < 4; i++) await emit(company.companyId, start)
  await emit(other.companyId, start)

  await deliverDue(needs, start)

  const [[told], theirs] = [await listMailsTo('b@example.com'), await listMailsTo('c@example.com')]
  expect(await listMailsTo('b@example.com')).toHaveLength(1)
  expect(told!.data).toMatchObject({ outcome: 'gone', attempts: 1 })
  expect(theirs).toHaveLength(1)
})

test('no person is told where it was turned off, or no mail is sent', async () => {
  const receiver = await openReceiver(answerWith(410))
  const off = await noticing(receiver.url, 'e@example.com')
  await db.update(companies).set({ mailFailures: false }).where(eq(companies.id, off.companyId))
  const without = await noticing(receiver.url, 'f@example.com')

  const first = await giveUp(off.companyId, new Date())
  const second = await giveUp(without.companyId, new Date(), webhooks.needs as typeof needs)

  expect([first.delivery, second.delivery]).toMatchObject([
    { outcome: 'gone' },
    { outcome: 'gone' },
  ])
  expect([
    ...(await listMailsTo('e@example.com')),
    ...(await listMailsTo('f@example.com')),
  ]).toEqual([])
})

test('a delivery that fails and will be tried again is not told', async () => {
  const receiver = await openReceiver(answerWith(500))
  const { companyId } = await noticing(receiver.url, 'g@example.com')
  await emit(companyId, new Date())

  await deliverDue(needs, new Date())

  expect(await listMailsTo('g@example.com')).toEqual([])
})
