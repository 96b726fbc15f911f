// Clients that generators make of the document: they compile, and they work.
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../support/test-app.ts'
import { heyApi, needTool, openapiTypescript, run } from './tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vintem-client-'))
const at = (file: string) => join(folder, file)

/** What a stranger would write with the generated types in hand. */
const PROGRAM = `
import type { paths } from './api.ts'
import { clientFor } from './typed-client.ts'

const call = clientFor<paths>(process.env.BASE_URL!, process.env.KEY!)

const made = await call('/api/payment-links', 'post', {
  headers: { 'idempotency-key': 'pedido-1042' },
  body: { title: 'Bolo de cenoura', priceMode: 'fixed', amountCents: 1990, methods: ['pix'] },
})
const again = await call('/api/payment-links', 'post', {
  headers: { 'idempotency-key': 'pedido-1042' },
  body: { title: 'Bolo de cenoura', priceMode: 'fixed', amountCents: 1990, methods: ['pix'] },
})
const read = await call('/api/payment-links/{idOrSlug}', 'get', { path: { idOrSlug: made.slug } })
const changed = await call('/api/payment-links/{idOrSlug}', 'patch', {
  path: { idOrSlug: made.id },
  body: { amountCents: 2990, tags: ['balcao'] },
})
const page = await call('/api/payment-links', 'get', { query: { limit: 1, status: 'active' } })
const customer = await call('/api/customers', 'post', { body: { name: 'Maria Silva' } })
const people = await call('/api/customers', 'get', { query: {} })
const payments = await call('/api/transactions', 'get', { query: { paymentLinkId: made.id } })
await call('/api/payment-links/{idOrSlug}', 'delete', { path: { idOrSlug: made.id } })
const events = await call('/api/events', 'get', { query: { type: 'transaction.approved' } })
const brought = events.data.map((event) =>
  event.type === 'transaction.approved' ? event.data.transaction.totalCents : 0,
)

export const neverRun = () => [
  // @ts-expect-error a price is a number of cents
  call('/api/payment-links', 'post', { body: { title: 'Bolo', amountCents: '1990', methods: ['pix'] } }),
  // @ts-expect-error a link has a title
  call('/api/payment-links', 'post', { body: { amountCents: 1990, methods: ['pix'] } }),
  // @ts-expect-error there is no such status
  call('/api/payment-links', 'get', { query: { status: 'paid' } }),
  // @ts-expect-error links have no colour
  changed.colour,
  // @ts-expect-error an event of any type has no refund
  events.data[0]!.data.refund,
]

const url: string = made.url
const expiresAt: string | null = read.expiresAt
const received: number = read.amountReceivedCents
console.log(JSON.stringify({
  url, expiresAt, received, again: again.id === made.id, amountCents: changed.amountCents,
  listed: page.data.map(({ id }) => id === made.id), more: page.hasMore,
  customers: people.data.map(({ id }) => id === customer.id), payments: payments.data, brought,
}))
`

const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
const testApp = await openTestApp()
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.addresses()[0] as AddressInfo
const baseUrl = `http://127.0.0.1:${port}`

beforeAll(() => {
  copyFileSync(join(import.meta.dirname, 'typed-client.ts'), at('typed-client.ts'))
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'), 'junction')
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeFileSync(at('program.ts'), PROGRAM)
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a generated client compiles and works against the running service', async (context) => {
  const { key } = await testApp.newCompany()
  writeFileSync(at('openapi.json'), await (await fetch(`${baseUrl}/api/openapi.json`)).text())

  const generated = await openapiTypescript(at('openapi.json'), '-o', at('api.ts'))
  needTool(context, generated)
  const compiled = await run(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ])
  const ran = await run(process.execPath, [at('program.ts')], { BASE_URL: baseUrl, KEY: key })

  expect(generated).toMatchObject({ status: 0 })
  expect(compiled).toEqual({ status: 0, output: '', errors: '' })
  expect(ran).toMatchObject({ status: 0, errors: '' })
  expect(JSON.parse(ran.output)).toEqual({
    url: expect.stringMatching(/^http:\/\/localhost:3000\/pagar\/\w{10}$/),
    expiresAt: null,
    received: 0,
    again: true,
    amountCents: 2990,
    listed: [true],
    more: false,
    customers: [true],
    payments: [],
    brought: [],
  })
})

/** The same by another generator, which makes a function of each operation. */
const SDK_PROGRAM = `
import { client } from './sdk/client.gen.ts'
import { zPaymentLink, zTransaction } from './sdk/zod.gen.ts'
import {
  createPaymentLink, getEvent, listEvents, listPaymentLinks, listTransactions,
  simulatePaymentLinkPayment,
} from './sdk/sdk.gen.ts'

client.setConfig({ baseUrl: process.env.BASE_URL, auth: () => process.env.KEY, throwOnError: true })

const title = 'Bolo de cenoura'
const made = await createPaymentLink({
  body: { title, amountCents: 1990, methods: ['pix'], metadata: { pedido: '1042' } },
  throwOnError: true,
})
const paid = await simulatePaymentLinkPayment({
  path: { idOrSlug: made.data.id }, throwOnError: true,
})
const query = { metadata: { pedido: '1042' }, approvedFrom: '2026-01-01T00:00:00Z' }
const links = await listPaymentLinks({ query: { metadata: query.metadata }, throwOnError: true })
const payments = await listTransactions({ query, throwOnError: true })
const none = await listTransactions({
  query: { metadata: { pedido: '1' } }, throwOnError: true,
})
const events = await listEvents({ throwOnError: true })
const told = events.data.data.map((event) => {
  switch (event.type) {
    case 'transaction.approved':
      return event.data.transaction.totalCents
    case 'payment_link.completed':
      return event.data.paymentLink.title
    default:
      return event.type
  }
})
// What a later version of the service may answer.
const newWord = zPaymentLink.parse({ ...made.data, status: 'paused', priceMode: 'open', colour: 'blue' })
const newSource = zTransaction.parse({ ...paid.data, feeSource: 'bank' })
const [first] = events.data.data
const looked = first && (await getEvent({ path: { id: first.id }, throwOnError: true }))
console.log(JSON.stringify({
  links: links.data.data.map(({ title }) => title),
  payments: payments.data.data.map(({ id }) => id === paid.data.id),
  none: none.data.data, later: [newWord.status, newWord.priceMode, newSource.feeSource], told, deliveries: looked?.data.deliveries,
}))
`

test('so does one of a generator that tells events apart by their type, and judges what it is answered', async (context) => {
  const { key } = await testApp.newCompany()
  writeFileSync(at('openapi.json'), await (await fetch(`${baseUrl}/api/openapi.json`)).text())
  writeFileSync(
    at('openapi-ts.config.json'),
    JSON.stringify({
      input: at('openapi.json'),
      output: { path: at('sdk'), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'],
    }),
  )
  writeFileSync(at('sdk-program.ts'), SDK_PROGRAM)
  const { types, module, target, noEmit, strict, skipLibCheck, allowImportingTsExtensions } =
    compilerOptions
  const options = {
    types,
    module,
    target,
    noEmit,
    strict,
    skipLibCheck,
    allowImportingTsExtensions,
  }
  writeFileSync(
    at('tsconfig.sdk.json'),
    JSON.stringify({ compilerOptions: options, files: ['sdk-program.ts'] }),
  )

  const generated = await heyApi('-f', at('openapi-ts.config.json'))
  needTool(context, generated)
  const compiled = await run(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-p',
    at('tsconfig.sdk.json'),
  ])
  const ran = await run(process.execPath, [at('sdk-program.ts')], { BASE_URL: baseUrl, KEY: key })

  expect(generated, generated.errors).toMatchObject({ status: 0 })
  expect(compiled).toEqual({ status: 0, output: '', errors: '' })
  expect(ran).toMatchObject({ status: 0, errors: '' })
  expect(JSON.parse(ran.output)).toEqual({
    links: ['Bolo de cenoura'],
    payments: [true],
    none: [],
    later: ['paused', 'open', 'bank'],
    told: [1990],
    deliveries: [],
  })
})
