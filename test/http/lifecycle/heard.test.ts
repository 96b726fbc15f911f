// What a process keeps in memory is forgotten before anybody is answered that it changed.
import { expect, test } from 'vitest'
import type { Listener } from '../../../src/database/notifications.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { MINIMAL_LINK, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { listener, newCompany, anotherProcess } = testApp

/** A process that hears of what changed only once it waits for it: as if Postgres took ever so long. */
function openLateProcess() {
  const late: (() => void)[] = []
  const held: Listener = {
    ...listener,
    subscribe: (channel, onMessage) =>
      listener.subscribe(channel, (payload) => late.push(() => onMessage(payload))),
    async catchUp() {
      await listener.catchUp()
      for (const tell of late.splice(0)) tell()
    },
  }
  return anotherProcess({ listener: held })
}

test('a link that was switched off is off for whoever asks next', async () => {
  const company = await newCompany()
  const { id, slug } = (await company.post('/api/payment-links', MINIMAL_LINK)).json()
  const late = await openLateProcess()
  const open = async () => (await late.inject(`/pagar/${slug}`)).statusCode
  const before = [await open(), await open()]

  await late.inject({
    method: 'PATCH',
    url: `/api/payment-links/${id}`,
    headers: { authorization: `Bearer ${company.key}` },
    payload: { status: 'inactive' },
  })

  expect([...before, await open()]).toEqual([200, 200, 410])
})

test('a key that was revoked in the dashboard is refused at its next request', async () => {
  const company = await newCompany()
  const late = await openLateProcess()
  const owner = await openDashboardClient({ ...testApp, app: late }, { companyId: company.id })
  const headers = { authorization: `Bearer ${company.key}` }
  const use = async () => (await late.inject({ url: '/api/payment-links', headers })).statusCode
  const before = [await use(), await use()]

  await owner.post(`/painel/chaves/${company.keyId}/revogar`)

  expect([...before, await use()]).toEqual([200, 200, 401])
})
