// Companies are told that their links have expired.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { paymentLinks } from '../../src/database/tables.ts'
import { emitDueExpiries, startExpirySweep } from '../../src/payment-links/expire.ts'
import type { PaymentLink } from '../../src/payment-links/schema.ts'
import { HOUR_MS, LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openCheckout } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, needs, newCompany } = testApp
const { newLink, pay, editLink, listEventTypes } = openCheckout(testApp)
const { inHours, patch, archive, approve } = openLinkApi(testApp)

test('that a link has expired is told once, and again when its expiry was moved', async () => {
  const company = await newCompany()
  const link = await newLink({ expiresAt: inHours(1) }, company)
  const sweep = () => emitDueExpiries(needs, clock.now())
  await sweep()
  expect(await listEventTypes(link)).toEqual([])

  clock.offsetMs += HOUR_MS
  await Promise.all([sweep(), sweep(), sweep()])
  expect(await listEventTypes(link)).toEqual(['payment_link.expired'])

  await patch(company, link, { expiresAt: inHours(1) })
  await sweep()
  clock.offsetMs += HOUR_MS
  await sweep()
  await sweep()
  expect(await listEventTypes(link)).toEqual(['payment_link.expired', 'payment_link.expired'])
})

test('only links that expired are told of: not those switched off, completed or archived', async () => {
  const company = await newCompany()
  const links = await Promise.all(
    [0, 1, 2, 3].map(() => newLink({ expiresAt: inHours(1) }, company)),
  )
  const states = ['inactive', 'completed', 'archived', 'active'] as const
  await Promise.all(links.map(({ id }, i) => editLink(id, { status: states[i]! })))
  clock.offsetMs += HOUR_MS

  await emitDueExpiries(needs, clock.now())

  expect(await listEventTypes(links[0]!)).toEqual(['payment_link.expired'])
  const found = (await company.get(`${LINKS_PATH}?status=expired`)).json().data
  expect(found.map(({ id }: PaymentLink) => id)).toEqual([links[3]!.id])
  expect((await company.get(`${LINKS_PATH}?status=active`)).json().data).toEqual([])
})

test.each([
  ['loses its expiry', () => ({ expiresAt: null })],
  ['is given a later one', () => ({ expiresAt: inHours(1) })],
  ['is paused', () => ({ status: 'inactive' })],
  ['is renamed', () => ({ title: 'Torta' })],
])('that it expired is told once of a link that %s before the sweep came', async (_, build) => {
  const company = await newCompany()
  const link = await newLink({ expiresAt: inHours(1) }, company)
  clock.offsetMs += HOUR_MS

  const changed = await patch(company, link, build())
  await emitDueExpiries(needs, clock.now())

  expect(changed.statusCode).toBe(200)
  expect(await listEventTypes(link)).toEqual(['payment_link.expired'])
})

test('that it expired is told once of a link that is archived before the sweep came', async () => {
  const company = await newCompany()
  const link = await newLink({ expiresAt: inHours(1) }, company)
  clock.offsetMs += HOUR_MS

  await Promise.all([archive(company, link.id), archive(company, link.id)])
  await emitDueExpiries(needs, clock.now())

  expect(await listEventTypes(link)).toEqual(['payment_link.expired'])
})

test('a change that is refused tells nothing, and the sweep does', async () => {
  const company = await newCompany()
  const link = await newLink({ expiresAt: inHours(1) }, company)
  clock.offsetMs += HOUR_MS

  const refused = await patch(company, link, { status: 'active' })
  const before = await listEventTypes(link)
  await emitDueExpiries(needs, clock.now())

  expect(refused.statusCode).toBe(409)
  expect(before).toEqual([])
  expect(await listEventTypes(link)).toEqual(['payment_link.expired'])
})

test('that it expired is told before its last payment, which came late, completes the link', async () => {
  const company = await newCompany()
  const link = await newLink({ expiresAt: inHours(1), maxPayments: 1 }, company)
  const { row } = await pay(link)
  clock.offsetMs += HOUR_MS

  await approve(row.id)
  await emitDueExpiries(needs, clock.now())

  expect(await listEventTypes(link)).toEqual([
    'transaction.approved',
    'payment_link.expired',
    'payment_link.completed',
  ])
})

test('the sweep tells by itself until it is stopped, more than a batch of links', async () => {
  const company = await newCompany()
  const { id, companyId } = await newLink({ expiresAt: inHours(1) }, company)
  await db.$client.query(COPIES, [id])
  clock.offsetMs += HOUR_MS

  const stop = startExpirySweep(needs)
  await expect.poll(() => listEventTypes({ companyId }), { timeout: 10_000 }).toHaveLength(121)
  await stop()

  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.id, id))
  expect(row!.expiryEmittedFor).toBe(row!.expiresAt)
})

const COPIES = `insert into payment_links
  select copy.* from payment_links l, generate_series(1, 120) i,
    jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'slug', 'copia' || i)) copy
  where l.id = $1`
