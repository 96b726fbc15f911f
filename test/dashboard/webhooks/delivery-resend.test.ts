// Everything that was given up since a time is sent once more, after it was said how much that is.
import { expect, test } from 'vitest'
import { formatLocalInput } from '../../../src/dashboard/layout/forms/local-time.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { webhookDeliveries } from '../../../src/database/tables.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import { openWebhookDashboard, readMainText } from '../../support/dashboard/webhooks.ts'
import { openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock } = testApp
const { openClient, addReceiver, emit, deliver, giveUp, readDelivery, actionsOf } =
  openWebhookDashboard(testApp)

const RESEND = '/painel/integracoes/entregas/reenviar'
const HOOK = 'https://93.184.216.34/hook'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ago = (ms: number) => formatLocalInput(new Date(clock.now().getTime() - ms))
const asking = (form: Record<string, string>) => `${RESEND}?${new URLSearchParams(form)}`

/** Given up, and created so long ago. */
async function lose(companyId: string, { agoMs = 0, endpointId = '' } = {}) {
  const { id } = await emit(companyId, endpointId ? { endpointId } : {})
  await giveUp(id)
  const at = clock.now().getTime() - agoMs
  const old = { createdAt: new Date(at).toISOString(), id: idAt(at) }
  await db.update(webhookDeliveries).set(old).where(eq(webhookDeliveries.id, id))
  return old.id
}

function idAt(ms: number) {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`
}

test('it asks with their number, then sends what was given up since then and nothing else', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, receiver.url)
  const stranger = await openClient()
  await addReceiver(stranger.company.id, HOOK)
  const recent = [await lose(company.id), await lose(company.id, { agoMs: HOUR_MS })]
  const older = await lose(company.id, { agoMs: 3 * HOUR_MS })
  const foreign = await lose(stranger.company.id)
  const form = { desde: ago(2 * HOUR_MS), endpoint: '' }

  const page = await dashboardClient.get(RESEND)
  const asked = await dashboardClient.get(asking(form))
  const untouched = await readDelivery(recent[0]!)
  const done = await dashboardClient.post(RESEND, form)
  await dashboardClient.post(RESEND, form)
  await deliver()

  expect(page.body).toContain(`value="${ago(DAY_MS).slice(0, 13)}`)
  expect(readMainText(asked.body)).toContain('Reenviar 2 entregas?')
  expect(readMainText(asked.body)).toContain('De todos os endpoints que não estão desativados.')
  expect(untouched.status).toBe('failed')
  expect(done.headers.location).toContain('entregas-reenviadas')
  expect(receiver.hits).toHaveLength(2)
  for (const id of recent) expect(await readDelivery(id)).toMatchObject({ status: 'delivered' })
  for (const id of [older, foreign]) {
    expect(await readDelivery(id)).toMatchObject({ status: 'failed' })
  }
  expect(await actionsOf(company.id)).toEqual([['deliveries_resent', null]])
})

test('of one endpoint alone', async () => {
  const { company, dashboardClient } = await openClient()
  const one = await addReceiver(company.id, HOOK)
  const other = await addReceiver(company.id, `${HOOK}/2`)
  const wanted = await lose(company.id, { endpointId: one.id })
  const rest = await lose(company.id, { endpointId: other.id })
  const form = { desde: ago(HOUR_MS), endpoint: one.id }

  const asked = await dashboardClient.get(asking(form))
  await dashboardClient.post(RESEND, form)

  expect(readMainText(asked.body)).toContain('Reenviar 1 entrega?')
  expect(readMainText(asked.body)).toContain(`Só as do endpoint ${HOOK}.`)
  expect(await readDelivery(wanted)).toMatchObject({ status: 'pending' })
  expect(await readDelivery(rest)).toMatchObject({ status: 'failed' })
  expect(await actionsOf(company.id)).toEqual([['deliveries_resent', HOOK]])
})

test('where nothing was given up it says so and asks nothing', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, HOOK)
  await emit(company.id)

  const { statusCode, body } = await dashboardClient.get(asking({ desde: ago(HOUR_MS) }))
  await dashboardClient.post(RESEND, { desde: ago(HOUR_MS) })

  expect(statusCode).toBe(200)
  expect(readMainText(body)).toContain('Nenhuma entrega falhou em todas as tentativas desde então.')
  expect(body).not.toContain('method="post" action="/painel/integracoes/entregas/reenviar"')
  expect(await actionsOf(company.id)).toEqual([])
})

test.each([
  ['nothing', ''],
  ['no date', 'ontem'],
  ['no day of a calendar', '2026-02-30T10:00'],
  ['a time to come', ago(-HOUR_MS)],
  ['more than thirty days', ago(30 * DAY_MS + HOUR_MS)],
])('%s is no time to send from', async (_, desde) => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, HOOK)
  const lost = await lose(company.id)

  const { statusCode, body } = await dashboardClient.get(asking({ desde }))
  const sent = await dashboardClient.post(RESEND, { desde })

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([['desde', expect.stringContaining('dos últimos 30 dias')]])
  expect(body).toContain(`value="${desde}"`)
  expect(sent.headers.location).toBe(asking({ desde }))
  expect(await readDelivery(lost)).toMatchObject({ status: 'failed' })
})

test('twenty-nine days are not too long ago', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, HOOK)
  const lost = await lose(company.id, { agoMs: 29 * DAY_MS })

  await dashboardClient.post(RESEND, { desde: ago(29 * DAY_MS + HOUR_MS) })

  expect(await readDelivery(lost)).toMatchObject({ status: 'pending' })
})

test('an endpoint that is not there, or not theirs, does not stand for all of them', async () => {
  const stranger = await openClient()
  const foreign = await addReceiver(stranger.company.id, HOOK)
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, HOOK)
  const lost = [await lose(company.id), await lose(stranger.company.id)]

  for (const endpoint of [foreign.id, newId(), 'nada']) {
    const form = { desde: ago(HOUR_MS), endpoint }
    expect((await dashboardClient.get(asking(form))).statusCode).toBe(404)
    expect((await dashboardClient.post(RESEND, form)).statusCode).toBe(404)
  }

  for (const id of lost) expect(await readDelivery(id)).toMatchObject({ status: 'failed' })
})

test('it is for owners', async () => {
  const { company, dashboardClient } = await openClient('member')
  await addReceiver(company.id, HOOK)
  const lost = await lose(company.id)

  const answers = [
    await dashboardClient.get(RESEND),
    await dashboardClient.post(RESEND, { desde: ago(HOUR_MS) }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  expect(await readDelivery(lost)).toMatchObject({ status: 'failed' })
})
