// What may have happened at a provider, by how a call to it fails, and the pauses that a provider asks for.
import { expect, test } from 'vitest'
import { findRetryAt } from '../../src/providers/call.ts'
import { createJsonClient } from '../../src/providers/json-client.ts'
import { type Lane, ProviderDown } from '../../src/providers/provider.ts'
import { type ProviderRefusal, toAnswerError } from '../../src/providers/refusal.ts'
import { createTransport } from '../../src/providers/transport.ts'
import { catchError } from '../support/providers/harness.ts'
import { openFakeServer, type WireFault } from '../support/providers/server.ts'
import { findRefusingUrl, openHangUpServer } from '../support/receiver.ts'

const clock = { offsetMs: 0 }
const now = () => new Date(Date.now() + clock.offsetMs)
const fake = await openFakeServer({ answer: () => ({ status: 200, body: {} }) })
const needs = { now, createDeadline: fake.createDeadline }

function openLine(pausingStatuses = [429, 503]) {
  const line = createTransport({ provider: 'Fake', pausingStatuses }, needs)
  return (lane: Lane = 'payer', url = fake.url) =>
    line.exchange({ url, method: 'POST', headers: {}, signal: line.deadline(), lane })
}

function openClient() {
  const api = { provider: 'Fake', baseUrl: fake.url, headers: {}, fieldNames: ['a'] }
  const client = createJsonClient(api, needs)
  return () => client.send('POST', '/', {}, 'key')
}

test.each<WireFault>([{ does: 'hang' }, { does: 'reset' }, { does: 'flood' }])(
  'after a call that ends in %j the result is unknown',
  async (fault) => {
    fake.next(fault)

    expect(await catchError(openLine()())).not.toBeInstanceOf(ProviderDown)
  },
)

test.each([
  ['is closed', async () => findRefusingUrl()],
  ['does not exist', async () => 'https://pix.nao-existe.invalid'],
  ['hangs up before TLS', async () => `https://localhost:${(await openHangUpServer()).port}`],
  ['speaks no TLS', async () => fake.url.replace('http://127.0.0.1', 'https://localhost')],
])('a provider with an address that %s has done nothing', async (_how, findUrl) => {
  const url = (await findUrl()).replace(/\/$/, '')

  expect(await catchError(openLine()('payer', url))).toBeInstanceOf(ProviderDown)
})

test('a call ends by its deadline, and is not followed elsewhere', async () => {
  const line = createTransport({ provider: 'Fake', pausingStatuses: [] }, needs)
  const headers = { location: `${fake.url}/elsewhere` }
  fake.next({ does: 'answer', status: 302, headers }, { does: 'hang' })
  const call = () =>
    line.exchange({
      ...{ url: fake.url, method: 'GET', headers: {}, lane: 'payer' },
      signal: line.deadline(),
    })

  expect(await call()).toMatchObject({ status: 302 })
  await expect(call()).rejects.toThrow('The deadline came')
})

test('during a pause nothing is sent; one of the background keeps only the background waiting', async () => {
  const [send, other] = [openLine(), openLine()]
  clock.offsetMs = 0
  const pause = { does: 'answer', status: 429, headers: { 'retry-after': '120' } } as const
  fake.next(pause)

  await send('background')
  const before = fake.asked.length
  const tooSoon = await catchError(send('background'))
  const during = fake.asked.length
  const asPayer = await send()
  fake.next(pause)
  await send()

  expect(tooSoon).toBeInstanceOf(ProviderDown)
  expect(Math.abs(findRetryAt(tooSoon)!.getTime() - Date.now() - 120_000)).toBeLessThan(5_000)
  expect(during).toBe(before)
  expect(asPayer).toMatchObject({ status: 200 })
  await expect(send()).rejects.toThrow('wants no calls')
  await expect(send('background')).rejects.toThrow('wants no calls')
  expect(await other()).toMatchObject({ status: 200 })
  clock.offsetMs = 121_000
  expect(await send('background')).toMatchObject({ status: 200 })
})

test('a provider that asks for more than fifteen minutes is asked again after them', async () => {
  const send = openLine()
  clock.offsetMs = 0
  fake.next({ does: 'answer', status: 503, headers: { 'retry-after': '86400' } })
  await send()

  clock.offsetMs = 14 * 60_000
  await expect(send()).rejects.toThrow('wants no calls')
  clock.offsetMs = 16 * 60_000
  expect(await send()).toMatchObject({ status: 200 })
})

test.each<[number, string]>([
  ...['', 'soon', '0', '-5', new Date(0).toUTCString()].map((header): [number, string] => [
    429,
    header,
  ]),
  [500, '600'],
])('a %d with the Retry-After "%s" asks for no pause', async (status, header) => {
  const send = openLine()
  fake.next({ does: 'answer', status, headers: { 'retry-after': header } })
  await send()

  expect(await send()).toMatchObject({ status: 200 })
})

test.each([408, 500, 502, 504])('after a %d the result is unknown', async (status) => {
  fake.next({ does: 'answer', status, body: '{}' })
  const refusal = toAnswerError(
    'Fake',
    { status, retryAt: undefined },
    { kind: null, detail: null },
  )

  expect(await catchError(openClient()())).not.toBeInstanceOf(ProviderDown)
  expect(refusal).toMatchObject({ name: 'Error', cause: { status } })
})

test.each([401, 403, 429])('a JSON call that is refused with %d did nothing', async (status) => {
  fake.next({ does: 'answer', status, headers: { 'retry-after': '120' } })

  const error = await catchError(openClient()())

  expect(error).toBeInstanceOf(ProviderDown)
  expect(findRetryAt(error) !== undefined).toBe(status === 429)
})

test('a 503 of a JSON API, with its pause, does not stop the search for what was done', async () => {
  const send = openClient()
  fake.next({ does: 'answer', status: 503, headers: { 'retry-after': '120' } })

  expect(await send()).toEqual({ status: 503, body: null })
  expect(await send()).toEqual({ status: 200, body: {} })
})

test.each([
  [200, ''],
  [302, ''],
  [302, '{"message":"moved"}'],
])('a %d with the body "%s" says nothing; a 400 may be anything', async (status, body) => {
  fake.next({ does: 'answer', status, body }, { does: 'answer', status: 400 })
  const send = openClient()

  expect(await catchError(send())).not.toBeInstanceOf(ProviderDown)
  expect(await send()).toEqual({ status: 400, body: null })
})

test.each([
  [503, 'ProviderDown'],
  [429, 'ProviderDown'],
  [400, 'ProviderRefusal'],
  [401, 'ProviderRefusal'],
  [302, 'Error'],
])('an answer %d in the provider’s own words is a %s', (status, name) => {
  const problem = { kind: 'CobNaoEncontrado', detail: 'Não existe' }
  const error = toAnswerError('Fake', { status, retryAt: undefined }, problem)

  expect(error.name).toBe(name)
  expect(error.message).toBe(`Fake answered ${status} CobNaoEncontrado Não existe`)
  const refusal = (name === 'ProviderRefusal' ? error : error.cause) as ProviderRefusal
  expect(refusal).toMatchObject({ status, ...problem, isFromApi: true })
})
