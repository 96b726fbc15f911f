// Pages that say how many payments came in since they were opened.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { sessions } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

async function openMerchant() {
  const merchant = await newMerchant()
  const { companyId } = merchant
  const client = await openDashboardClient(testApp, { companyId, role: 'accountant' })
  const toPath = (desde: string, ambiente = companyId) =>
    `/painel/novos?${new URLSearchParams({ desde, ambiente })}`
  return { merchant, client, toPath }
}

test('a page names the instant it was read at, and what is approved after it is counted', async () => {
  const { merchant, client, toPath } = await openMerchant()
  const page = await readPage(client, '/painel/transacoes')
  const [, since = ''] = page.match(/data-payments-since="([^"]+)"/) ?? []
  const later = new Date(Date.parse(since) + 1_000).toISOString()
  await addPayment(merchant, since)
  await addPayment(merchant, later)
  await addPayment(merchant, later)
  await addPayment(merchant, later, { status: 'declined', approvedAt: null })
  await addPayment(await newMerchant(), later)

  expect(page).toContain(`data-payments-of="${merchant.companyId}"`)
  expect((await client.get(toPath(since))).json()).toEqual({ count: 2 })
  expect((await client.get(toPath(later))).json()).toEqual({ count: 0 })
})

test('a page of the other environment, or one that names no instant, need not ask again', async () => {
  const { client, toPath } = await openMerchant()
  const now = clock.now().toISOString()

  const other = toPath(now, (await newCompany()).realId)
  const ofNone = [toPath('nada'), toPath('0000-01-01T00:00:00Z'), '/painel/novos']
  const asked = [other, ...ofNone]
  const statuses = await Promise.all(asked.map(async (url) => (await client.get(url)).statusCode))

  expect(statuses).toEqual([204, 204, 204, 204])
  expect((await app.inject({ url: toPath(now) })).statusCode).toBe(303)
})

test('a page that asks by itself keeps no session alive', async () => {
  const { client, toPath } = await openMerchant()
  const idleSince = new Date(clock.now().getTime() - 3_600_000).toISOString()
  const own = eq(sessions.id, client.sessionId)
  const readLastSeen = async () => (await db.select().from(sessions).where(own))[0]?.lastSeenAt
  await db.update(sessions).set({ lastSeenAt: idleSince }).where(own)

  await client.get(toPath(idleSince))
  const afterAsking = await readLastSeen()
  await client.get('/painel')

  expect(afterAsking).toBe(idleSince)
  expect(await readLastSeen()).not.toBe(idleSince)
})
