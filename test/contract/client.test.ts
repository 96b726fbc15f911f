// A client that openapi-typescript makes of the document: it compiles, and it works.
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../support/test-app.ts'
import { needTool, openapiTypescript, run } from './tools.ts'

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

export const neverRun = () => [
  // @ts-expect-error a price is a number of cents
  call('/api/payment-links', 'post', { body: { title: 'Bolo', amountCents: '1990', methods: ['pix'] } }),
  // @ts-expect-error a link has a title
  call('/api/payment-links', 'post', { body: { amountCents: 1990, methods: ['pix'] } }),
  // @ts-expect-error there is no such status
  call('/api/payment-links', 'get', { query: { status: 'paid' } }),
  // @ts-expect-error links have no colour
  changed.colour,
]

const url: string = made.url
const expiresAt: string | null = read.expiresAt
const received: number = read.amountReceivedCents
console.log(JSON.stringify({
  url, expiresAt, received, again: again.id === made.id, amountCents: changed.amountCents,
  listed: page.data.map(({ id }) => id === made.id), more: page.hasMore,
  customers: people.data.map(({ id }) => id === customer.id), payments: payments.data,
}))
`

const testApp = await openTestApp()

beforeAll(() => {
  copyFileSync(join(import.meta.dirname, 'typed-client.ts'), at('typed-client.ts'))
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'), 'junction')
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeFileSync(at('program.ts'), PROGRAM)
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a generated client compiles and works against the running service', async (context) => {
  const { key } = await testApp.newCompany()
  const baseUrl = await testApp.app.listen({ port: 0, host: '127.0.0.1' })
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
  })
})
