// What waits in the database, for the metrics.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import {
  mails,
  transactions,
  webhookDeliveries,
  webhookEndpoints,
} from '../../src/database/tables.ts'
import { readBacklog } from '../../src/http/gauges.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'
import { writeUser } from '../support/users.ts'

const { db, cipher, newCompany } = await openTestApp({ mail: true })

const LINKS = '/api/payment-links'

test('what waits in the database is asked of it, by whatever process is read', async () => {
  const now = new Date('2026-01-01T00:00:00.000Z')
  const at = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString()
  await db.delete(mails)
  const company = await newCompany()
  await writeUser(db, { companyId: company.id, email: 'dona@sol.example.com', role: 'owner' })
  const url = 'https://loja.example/hook'
  const endpoint = await createEndpoint(db, cipher, { companyId: company.id, url })
  const disabled = await createEndpoint(db, cipher, { companyId: company.id, url })
  await db
    .update(webhookEndpoints)
    .set({ disabledAt: at(0) })
    .where(eq(webhookEndpoints.id, disabled.id))
  const { id } = (await company.post(LINKS, MINIMAL_LINK)).json()
  const pay = (scenario: string) => company.post(`${LINKS}/${id}/simulate-payment`, { scenario })
  await pay('ok')
  await pay('pending')
  await db.update(webhookDeliveries).set({ dueAt: at(400) })
  await db
    .update(webhookDeliveries)
    .set({ dueAt: at(300) })
    .where(eq(webhookDeliveries.endpointId, endpoint.id))
  await db.update(mails).set({ dueAt: at(20) })
  await db.update(transactions).set({ checkAt: at(-60) })
  const [first] = await db.select().from(transactions).where(eq(transactions.companyId, company.id))
  await db
    .update(transactions)
    .set({ checkAt: at(0) })
    .where(eq(transactions.id, first!.id))

  const waiting = await readBacklog(db, now)
  await db
    .update(transactions)
    .set({ status: 'processing', approvedAt: null, createdAt: at(700) })
    .where(eq(transactions.companyId, company.id))
  const processing = await readBacklog(db, now)
  await db.update(transactions).set({ holdReason: 'amount_mismatch' })
  const held = await readBacklog(db, now)

  expect(waiting).toEqual({
    vintem_webhook_deliveries_due: 1,
    vintem_webhook_oldest_due_seconds: 300,
    vintem_webhook_oldest_due_keeping_up_seconds: 300,
    vintem_mails_oldest_due_seconds: 20,
    vintem_checks_oldest_due_seconds: 0,
    vintem_payments_oldest_processing_seconds: 0,
    vintem_database_size_bytes: expect.any(Number),
  })
  expect(waiting.vintem_database_size_bytes).toBeGreaterThan(1_000_000)
  expect(processing.vintem_payments_oldest_processing_seconds).toBe(700)
  expect(held.vintem_payments_oldest_processing_seconds).toBe(0)
})

test('a mail that the mail server was not reached for waits since it was written', async () => {
  const now = new Date('2026-01-01T00:00:00.000Z')
  const at = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString()
  const mail = { template: 'receipt', recipient: 'ana@example.com', data: {}, createdAt: at(1_200) }
  await db.delete(mails)

  await db.insert(mails).values({ ...mail, id: newId(), failure: '451 later', dueAt: at(-600) })
  const putOff = await readBacklog(db, now)
  await db.insert(mails).values({ ...mail, id: newId(), failure: 'unreachable', dueAt: at(-600) })
  await db.insert(mails).values({ ...mail, id: newId(), failure: 'unreachable', dueAt: null })
  const unreachable = await readBacklog(db, now)

  expect(putOff).toMatchObject({ vintem_mails_oldest_due_seconds: 0 })
  expect(unreachable).toMatchObject({ vintem_mails_oldest_due_seconds: 1_200 })
})

test('a receiver that has all it may have under way does not count as waiting for us', async () => {
  const now = new Date('2026-01-01T00:00:00.000Z')
  const at = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString()
  await db.delete(webhookDeliveries)
  const company = await newCompany()
  const url = 'https://morto.example/hook'
  const endpoint = await createEndpoint(db, cipher, { companyId: company.id, url })
  await db
    .update(webhookEndpoints)
    .set({ concurrency: 1 })
    .where(eq(webhookEndpoints.id, endpoint.id))
  const { id } = (await company.post(LINKS, MINIMAL_LINK)).json()
  for (const _ of ['one', 'another']) {
    await company.post(`${LINKS}/${id}/simulate-payment`, { scenario: 'ok' })
  }
  const [first] = await db
    .update(webhookDeliveries)
    .set({ dueAt: at(900) })
    .returning()
  const before = await readBacklog(db, now)

  await db
    .update(webhookDeliveries)
    .set({ leasedUntil: at(-60), dueAt: at(-60) })
    .where(eq(webhookDeliveries.id, first!.id))
  const busy = await readBacklog(db, now)

  expect(before).toMatchObject({
    vintem_webhook_deliveries_due: 2,
    vintem_webhook_oldest_due_keeping_up_seconds: 900,
  })
  expect(busy).toMatchObject({
    vintem_webhook_oldest_due_seconds: 900,
    vintem_webhook_oldest_due_keeping_up_seconds: 0,
  })
})
