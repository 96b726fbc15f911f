// Every event of a period is sent once more, after it was said how much that is.
import { expect, test } from 'vitest'
import { formatLocalInput } from '../../../src/dashboard/layout/forms/local-time.ts'
import { newId } from '../../../src/database/id.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import { openWebhookDashboard, readMainText } from '../../support/dashboard/webhooks.ts'
import { openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { clock } = testApp
const { openClient, addReceiver, emit, deliver, actionsOf } = openWebhookDashboard(testApp)

const PERIOD = '/painel/integracoes/entregas/reenviar-periodo'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ago = (ms: number) => new Date(clock.now().getTime() - ms)
const asking = (form: Record<string, string>) => `${PERIOD}?${new URLSearchParams(form)}`
const between = (fromMs: number, toMs: number, more = {}) => ({
  ...{ desde: formatLocalInput(ago(fromMs)), ate: formatLocalInput(ago(toMs)) },
  ...{ type: '', endpoint: '', ...more },
})

test('it asks with their number, then sends what was delivered too', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, receiver.url)
  await emit(company.id, { now: ago(HOUR_MS) })
  await emit(company.id, { now: ago(3 * HOUR_MS) })
  await deliver()
  const form = between(2 * HOUR_MS, 0)

  const page = await dashboardClient.get(PERIOD)
  const asked = await dashboardClient.get(asking(form))
  const done = await dashboardClient.post(PERIOD, form)
  await deliver()

  expect(page.statusCode).toBe(200)
  expect(readMainText(asked.body)).toContain('Reenviar 1 entrega?')
  expect(readMainText(asked.body)).toContain('De todos os tipos de evento.')
  expect(done.headers.location).toContain('entregas-reenviadas')
  expect(receiver.hits).toHaveLength(3)
  expect(await actionsOf(company.id)).toEqual([['events_resent', null]])
  expect(readMainText((await dashboardClient.get('/painel/registro')).body)).toContain(
    'Reenviou os eventos de um período',
  )
})

test('a period ends with its last minute, and takes none of the next', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, 'https://93.184.216.34/a')
  const minute = new Date(Math.floor(ago(HOUR_MS).getTime() / 60_000) * 60_000)
  for (const ms of [-1, 0, 59_999, 60_000]) {
    await emit(company.id, { now: new Date(minute.getTime() + ms) })
  }
  const at = formatLocalInput(minute)

  const asked = await dashboardClient.get(asking({ desde: at, ate: at, type: '', endpoint: '' }))

  expect(readMainText(asked.body)).toContain('Reenviar 2 entregas?')
})

test('the question that was answered once sends nothing twice', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, receiver.url)
  await emit(company.id, { now: ago(HOUR_MS) })
  await deliver()
  const asked = await dashboardClient.get(asking(between(2 * HOUR_MS, 0)))
  const form = readFormFields(asked.body, PERIOD)

  await dashboardClient.post(PERIOD, form)
  await deliver()
  await dashboardClient.post(PERIOD, form)
  await deliver()

  expect(receiver.hits).toHaveLength(2)
  expect(await actionsOf(company.id)).toEqual([['events_resent', null]])
})

test('to one endpoint and of one type it says so', async () => {
  const { company, dashboardClient } = await openClient()
  const { id, url } = { ...(await addReceiver(company.id, 'https://93.184.216.34/a')), url: '/a' }
  await emit(company.id, { now: ago(HOUR_MS) })
  const form = between(2 * HOUR_MS, 0, { type: 'transaction.approved', endpoint: id })

  const asked = readMainText((await dashboardClient.get(asking(form))).body)
  await dashboardClient.post(PERIOD, form)

  expect(asked).toContain('Só as de "Pagamento aprovado".')
  expect(asked).toContain(`Só ao endpoint https://93.184.216.34${url}`)
  expect(await actionsOf(company.id)).toEqual([['events_resent', 'https://93.184.216.34/a']])
})

test('where there is nothing it says so and asks nothing', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, 'https://93.184.216.34/a')

  const { body } = await dashboardClient.get(asking(between(HOUR_MS, 0)))
  await dashboardClient.post(PERIOD, between(HOUR_MS, 0))

  expect(readMainText(body)).toContain('Nada a reenviar')
  expect(body).not.toContain(`method="post" action="${PERIOD}"`)
  expect(await actionsOf(company.id)).toEqual([])
})

test.each([
  ['no date', { desde: 'ontem' }, 'desde'],
  ['an end that is none', { ate: 'hoje' }, 'ate'],
  ['an end that in UTC is in the year 10000', { ate: '9999-12-31T23:59' }, 'ate'],
  ['an end before its beginning', between(HOUR_MS, 2 * HOUR_MS), 'ate'],
  ['more than thirty days', between(31 * DAY_MS, 0), 'desde'],
  ['an endpoint that is none', { endpoint: newId() }, 'endpoint'],
])('%s is refused at its field', async (_, wrong, field) => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, 'https://93.184.216.34/a')
  const form = { ...between(2 * HOUR_MS, 0), ...wrong }

  const { statusCode, body } = await dashboardClient.get(asking(form))
  const sent = await dashboardClient.post(PERIOD, form)

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([[field, expect.any(String)]])
  expect(sent.headers.location).toBe(asking(form))
})

test('it is for owners', async () => {
  const { dashboardClient } = await openClient('member')

  const answers = [
    await dashboardClient.get(PERIOD),
    await dashboardClient.post(PERIOD, between(HOUR_MS, 0)),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403])
})
