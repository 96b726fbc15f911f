// Deliveries are sent once more, after it was said how many they are: what was given up, all of a period, or those
// that were chosen in their list.
import { expect, test } from 'vitest'
import { formatLocalInput } from '../../../src/dashboard/layout/local-time.ts'
import { newId } from '../../../src/database/id.ts'
import { setEndpointDisabled } from '../../../src/webhooks/endpoints/endpoint.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
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

const ago = (ms: number) => new Date(clock.now().getTime() - ms)
const asking = (form: Record<string, string>, ids: string[] = []) =>
  `${RESEND}?${new URLSearchParams([...Object.entries(form), ...ids.map((id) => ['delivery', id])])}`
const between = (fromMs: number, toMs: number, more = {}) => ({
  quais: 'falhas',
  desde: formatLocalInput(ago(fromMs)),
  ate: formatLocalInput(ago(toMs)),
  type: '',
  endpoint: '',
  ...more,
})

/** Given up, of an event that happened so long ago. */
async function lose(companyId: string, { agoMs = 0, endpointId = '' } = {}) {
  const { id } = await emit(companyId, { now: ago(agoMs), ...(endpointId && { endpointId }) })
  await giveUp(id)
  return id
}

test('what was given up in a period is sent once more, of one endpoint if that is named, and nothing else', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient } = await openClient()
  const { id: endpointId } = await addReceiver(company.id, receiver.url)
  await emit(company.id, { now: ago(HOUR_MS) })
  await deliver()
  const other = await addReceiver(company.id, HOOK)
  const elsewhere = await lose(company.id, { endpointId: other.id })
  const lost = [
    await lose(company.id, { endpointId }),
    await lose(company.id, { agoMs: HOUR_MS, endpointId }),
  ]
  const older = await lose(company.id, { agoMs: 3 * HOUR_MS, endpointId })
  const form = between(2 * HOUR_MS, 0, { endpoint: endpointId })

  const page = await dashboardClient.get(RESEND)
  const asked = await dashboardClient.get(asking(form))
  const ofAll = await dashboardClient.get(asking(between(2 * HOUR_MS, 0)))
  const untouched = await readDelivery(lost[0]!)
  const done = await dashboardClient.post(RESEND, form)
  await dashboardClient.post(RESEND, form)
  await deliver()

  expect(page.body).toContain(`value="${formatLocalInput(ago(DAY_MS)).slice(0, 13)}`)
  expect(readMainText(asked.body)).toContain('Reenviar 2 entregas?')
  expect(readMainText(asked.body)).toContain(`Só as do endpoint ${receiver.url}.`)
  expect(readMainText(ofAll.body)).toContain('Reenviar 3 entregas?')
  expect(untouched.status).toBe('failed')
  expect(done.headers.location).toContain('entregas-reenviadas')
  expect(receiver.hits).toHaveLength(3)
  for (const id of lost) expect(await readDelivery(id)).toMatchObject({ status: 'delivered' })
  for (const id of [older, elsewhere])
    expect(await readDelivery(id)).toMatchObject({ status: 'failed' })
  expect(await actionsOf(company.id)).toEqual([['deliveries_resent', receiver.url]])
})

test('all of a period is sent once more, what was delivered too', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, receiver.url)
  await emit(company.id, { now: ago(HOUR_MS) })
  await emit(company.id, { now: ago(3 * HOUR_MS) })
  await deliver()

  const asked = await dashboardClient.get(asking(between(2 * HOUR_MS, 0, { quais: 'todas' })))
  const form = readFormFields(asked.body, RESEND)
  await dashboardClient.post(RESEND, form)
  await deliver()
  await dashboardClient.post(RESEND, form)
  await deliver()

  expect(readMainText(asked.body)).toContain('Reenviar 1 entrega?')
  expect(receiver.hits).toHaveLength(3)
  expect(await actionsOf(company.id)).toEqual([['events_resent', null]])
  expect(readMainText((await dashboardClient.get('/painel/registro')).body)).toContain(
    'Reenviou os eventos de um período',
  )
})

test('a period ends with its last minute, and takes none of the next', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, HOOK)
  const minute = new Date(Math.floor(ago(HOUR_MS).getTime() / 60_000) * 60_000)
  for (const ms of [-1, 0, 59_999, 60_000]) {
    const { id } = await emit(company.id, { now: new Date(minute.getTime() + ms) })
    await giveUp(id)
  }
  const at = formatLocalInput(minute)

  const asked = await dashboardClient.get(asking({ desde: at, ate: at }))

  expect(readMainText(asked.body)).toContain('Reenviar 2 entregas?')
})

test('those that are chosen are sent once more, but for what cannot be sent and what is of another company', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient } = await openClient()
  const off = await addReceiver(company.id, HOOK)
  const waiting = await lose(company.id)
  await setEndpointDisabled(db, company.id, off.id, clock.now())
  const { id: endpointId } = await addReceiver(company.id, receiver.url)
  const old = await lose(company.id, { agoMs: 31 * DAY_MS, endpointId })
  const [lost, unchosen] = [
    await lose(company.id, { endpointId }),
    await lose(company.id, { endpointId }),
  ]
  const stranger = await openClient()
  await addReceiver(stranger.company.id, HOOK)
  const foreign = await lose(stranger.company.id)

  const list = await dashboardClient.get('/painel/integracoes/entregas?dias=7')
  const chosen = [waiting, old, lost, foreign]
  const asked = await dashboardClient.get(asking({ filtro: 'dias=7' }, chosen))
  const form = readFormFields(asked.body, RESEND)
  const answers = [
    await dashboardClient.post(RESEND, form),
    await dashboardClient.post(RESEND, form),
  ]
  await deliver()
  const none = await dashboardClient.get(asking({}, [foreign]))

  expect(list.body).toContain('name="filtro" value="dias=7"')
  expect(readMainText(asked.body)).toContain('Reenviar 1 entrega?')
  expect(readMainText(asked.body)).toContain('3 das escolhidas não vão')
  expect(readMainText(none.body)).toContain('Nada a reenviar')
  for (const { headers } of answers)
    expect(headers.location).toBe('/painel/integracoes/entregas?dias=7&feito=entregas-reenviadas')
  expect(receiver.hits).toHaveLength(1)
  expect(await readDelivery(lost)).toMatchObject({ status: 'delivered' })
  for (const id of [waiting, old, unchosen, foreign])
    expect(await readDelivery(id)).toMatchObject({ status: 'failed' })
  expect(await actionsOf(company.id)).toEqual([['chosen_resent', null]])
})

test('what names no period, endpoint or event is refused at its field, and where there is nothing that is said', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, HOOK)
  const lost = await lose(company.id)
  const nothing = between(4 * HOUR_MS, 3 * HOUR_MS)
  const none = await dashboardClient.get(asking(nothing))
  await dashboardClient.post(RESEND, nothing)
  const refused: [string, Record<string, string>][] = [
    ['desde', { desde: '' }],
    ['desde', { desde: '2026-02-30T10:00' }],
    ['desde', between(31 * DAY_MS, 0)],
    ['ate', { desde: formatLocalInput(ago(-HOUR_MS)) }],
    ['ate', { ate: '9999-12-31T23:59' }],
    ['ate', between(HOUR_MS, 2 * HOUR_MS)],
    ['endpoint', { endpoint: newId() }],
    ['type', { type: 'xx' }],
  ]

  for (const [field, wrong] of refused) {
    const form = { ...between(2 * HOUR_MS, 0), ...wrong }
    const { statusCode, body } = await dashboardClient.get(asking(form))
    const sent = await dashboardClient.post(RESEND, form)

    expect(statusCode).toBe(422)
    expect(readFormErrors(body)).toEqual([[field, expect.any(String)]])
    expect(sent.headers.location).toBe(asking(form))
  }
  expect(readMainText(none.body)).toContain('Nada a reenviar')
  expect(none.body).not.toContain(`method="post" action="${RESEND}"`)
  expect(await readDelivery(lost)).toMatchObject({ status: 'failed' })
  expect(await actionsOf(company.id)).toEqual([])
})
