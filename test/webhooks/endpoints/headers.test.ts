// Headers of a company's own: on every delivery, and nowhere else to be seen.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { findHeaderErrors } from '../../../src/webhooks/endpoints/headers.ts'
import { openWebhookDashboard } from '../../support/dashboard/webhooks.ts'
import { openEndpoints } from '../../support/endpoints.ts'
import { answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, cipher, clock, logged } = testApp
const { newCaller } = openEndpoints(testApp)
const { openClient } = openWebhookDashboard(testApp)

const HOOK = 'https://93.184.216.34/hook'
const HOOKS = '/painel/integracoes'
const needs = { db, cipher, agent: createGuardedAgent({ allowPrivate: true }), deadlineMs: 5_000 }

const rowOf = async (id: string) =>
  (await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)))[0]!

test('they are on each delivery, beside ours, and their values are never shown', async () => {
  const receiver = await openReceiver(answerWith(204))
  const caller = await newCaller()
  const headers = { Authorization: 'Bearer segredo-da-loja', 'X-Loja': '~' }
  const { id, ...added } = await caller.add({ url: receiver.url, headers })

  await caller.ask('POST', `/${id}/test`)
  await deliverDue(needs, clock.now())
  const [event] = (await caller.get('/api/events')).json().data
  await caller.post(`/api/events/${event.id}/redeliver`, {})
  await deliverDue(needs, clock.now())

  expect(receiver.hits).toHaveLength(2)
  for (const hit of receiver.hits) {
    expect(hit.headers).toMatchObject({
      authorization: 'Bearer segredo-da-loja',
      'x-loja': '~',
      'content-type': 'application/json',
      'webhook-id': event.id,
    })
  }
  expect(added).toMatchObject({ headerNames: ['Authorization', 'X-Loja'] })
  const shown = [added, (await caller.ask('GET', `/${id}`)).json(), await testApp.stored(), logged]
  expect(JSON.stringify(shown)).not.toContain('segredo-da-loja')
})

test('a change names all that there shall be, and one that names none leaves them', async () => {
  const caller = await newCaller()
  const { id } = await caller.add({ url: HOOK, headers: { 'X-A': '1', 'X-B': '2' } })
  const change = async (body: object) => (await caller.ask('PATCH', `/${id}`, body)).json()

  const untouched = await change({ disabled: true, headerNames: ['X-A', 'X-B'] })
  const replaced = await change({ headers: { 'X-C': '3' } })
  const none = await change({ headers: {} })

  expect(untouched.headerNames).toEqual(['X-A', 'X-B'])
  expect(replaced.headerNames).toEqual(['X-C'])
  expect(none.headerNames).toEqual([])
  expect(await rowOf(id)).toMatchObject({ headerNames: [], headerValues: null })
})

const ELSEWHERE = 'https://198.41.0.4/hook'

test('their values stay behind when the address moves to another origin: they are sent again, or taken out', async () => {
  const caller = await newCaller()
  const { id } = await caller.add({ url: HOOK, headers: { 'X-Chave': 'segredo' } })
  const move = (body: object) => caller.ask('PATCH', `/${id}`, body)

  const refused = await Promise.all(
    [ELSEWHERE, 'https://93.184.216.34:8443/hook', 'http://93.184.216.34/hook'].map((url) =>
      move({ url }),
    ),
  )
  const kept = await rowOf(id)
  const moved = await move({ url: `${HOOK}/outro` })
  const again = await move({ url: ELSEWHERE, headers: { 'X-Chave': 'outro' } })
  const without = await move({ url: HOOK, headers: {} })

  for (const { statusCode, body } of refused) {
    expect(statusCode).toBe(422)
    expect(JSON.parse(body).errors).toMatchObject([{ field: 'headers', code: 'required' }])
  }
  expect(kept.url).toBe(HOOK)
  expect([moved, again, without].map((answer) => answer.json().headerNames)).toEqual([
    ['X-Chave'],
    ['X-Chave'],
    [],
  ])
})

const toFields = (headers: object) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
const of = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'a']))

test.each([
  ['ten', of(10)],
  ['the longest name and value', { ['n'.repeat(64)]: 'v'.repeat(500) }],
  ['spaces inside', { "X-!#$%&'*+.^_`|~9": 'a b' }],
])('taken: %s', (_, headers) => {
  expect(findHeaderErrors(toFields(headers))).toEqual([])
})

const REFUSED: [string, Record<string, string>, string, string][] = [
  ['eleven', of(11), 'headers', 'too_big'],
  ['a longer name', { ['n'.repeat(65)]: 'v' }, `headers.${'n'.repeat(65)}`, 'invalid_format'],
  ['no name', { '': 'v' }, 'headers.', 'invalid_format'],
  ['a name with a space', { 'X A': 'v' }, 'headers.X A', 'invalid_format'],
  ['a longer value', { 'X-A': 'v'.repeat(501) }, 'headers.X-A', 'invalid_format'],
  ['no value', { 'X-A': '' }, 'headers.X-A', 'invalid_format'],
  ['another line', { 'X-A': 'v\r\nHost: x' }, 'headers.X-A', 'invalid_format'],
  ['an accent', { 'X-A': 'é' }, 'headers.X-A', 'invalid_format'],
  ['one twice', { 'X-A': 'v', 'x-a': 'v' }, 'headers.x-a', 'repeated'],
]
const RESERVED = [
  ...['webhook-id', 'Webhook-Signature', 'Content-Type', 'content-length', 'Host', 'User-Agent'],
  ...['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect'],
  ...['Proxy-Authorization', 'content-encoding'],
].map((name): (typeof REFUSED)[number] => [name, { [name]: 'v' }, `headers.${name}`, 'reserved'])

test.each([...REFUSED, ...RESERVED])('refused: %s', (_, headers, field, code) => {
  expect(findHeaderErrors(toFields(headers))).toMatchObject([{ field, code }])
})

test('at the dashboard a value that is left empty stays, and a name that is taken out goes', async () => {
  const receiver = await openReceiver(answerWith(204))
  const { company, dashboardClient } = await openClient()
  const form = { url: receiver.url, events: ['transaction.approved'] }
  const made = await dashboardClient.post(`${HOOKS}/novo`, {
    ...form,
    headerName: ['X-Um', 'X-Dois', ''],
    headerValue: ['valor-um', 'valor-dois', ''],
  })
  const path = made.headers.location!.split('?')[0]!
  const edit = await dashboardClient.get(`${path}/editar`)

  await dashboardClient.post(`${path}/editar`, {
    ...form,
    headerName: ['X-Um', '', 'X-Tres'],
    headerValue: ['', '', 'valor-tres'],
  })
  const shown = await dashboardClient.get(path)
  await dashboardClient.post(`${path}/testar`, { type: 'transaction.approved' })
  await deliverDue(needs, clock.now())

  expect(edit.body).toContain('value="X-Dois"')
  expect(shown.body).toContain('X-Um: ••••••••')
  for (const { body } of [edit, shown]) expect(body).not.toMatch(/valor-(um|dois|tres)/)
  const [hit] = receiver.hits
  expect(hit!.headers).toMatchObject({ 'x-um': 'valor-um', 'x-tres': 'valor-tres' })
  expect(hit!.headers).not.toHaveProperty('x-dois')
  expect(company.id).toBeDefined()
})

test('at the dashboard a value goes to another origin only when it is typed again', async () => {
  const receiver = await openReceiver(answerWith(204))
  const { company, dashboardClient } = await openClient()
  const form = { url: HOOK, events: ['transaction.approved'] }
  const header = { headerName: ['X-Chave'], headerValue: ['segredo-da-loja'] }
  const made = await dashboardClient.post(`${HOOKS}/novo`, { ...form, ...header })
  const path = made.headers.location!.split('?')[0]!
  const move = (headerValue: string) =>
    dashboardClient.post(`${path}/editar`, { ...form, ...header, url: receiver.url, headerValue })

  const refused = await move('')
  const moved = await move('digitado-de-novo')
  await dashboardClient.post(`${path}/testar`, { type: 'transaction.approved' })
  await deliverDue(needs, clock.now())

  expect(refused.body).toContain('informe de novo o valor de X-Chave')
  expect(moved.statusCode).toBe(303)
  expect(receiver.hits.map(({ headers }) => headers['x-chave'])).toEqual(['digitado-de-novo'])
  expect(company.id).toBeDefined()
})

test('at the dashboard a refused header is told in the form, which keeps what was typed', async () => {
  const { dashboardClient } = await openClient()

  const refused = await dashboardClient.post(`${HOOKS}/novo`, {
    ...{ url: HOOK, events: ['transaction.approved'] },
    ...{ headerName: ['Host', ''], headerValue: ['loja', 'sem-nome'] },
  })

  expect(refused.body).toContain('O cabeçalho Host é reservado. Use outro nome.')
  expect(refused.body).toContain('value="Host"')
  expect(refused.body).toContain('<details class="disclosure" open>')
})
