// Clients that generators make of the document: they compile, and they work.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { heyApi, needTool, openapiTypescript, runTool } from './tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vintem-client-'))
const at = (file: string) => join(folder, file)

const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
// Generated code is not written by our stricter rules.
const { types, module, target, noEmit, strict, skipLibCheck, allowImportingTsExtensions } =
  compilerOptions
const testApp = await startTestApp()
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.addresses()[0] as AddressInfo
const baseUrl = `http://127.0.0.1:${port}`

beforeAll(async () => {
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'), 'junction')
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeFileSync(at('openapi.json'), (await testApp.app.inject('/api/openapi.json')).body)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the compiler says of a program beside what was generated. */
async function compile(file: string, program: string, options: object) {
  writeFileSync(at(file), program)
  const config = { compilerOptions: options, files: [file] }
  writeFileSync(at('tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  return runTool(process.execPath, [tsc, '-p', folder])
}

const TYPED = `
import type { components, paths } from './api.ts'

type Link = components['schemas']['PaymentLink']
type NewLink = components['schemas']['NewPaymentLink']
type Query = NonNullable<paths['/api/payment-links']['get']['parameters']['query']>

export const made: NewLink = { title: 'Bolo', amountCents: 1990, methods: ['pix'] }
export const readUrl = (link: Link): string => link.url
export const readEnd = (link: Link): string | null => link.expiresAt
export const sumEvent = (event: components['schemas']['Event']) =>
  event.type === 'transaction.approved' ? event.data.transaction.totalCents : 0

// @ts-expect-error a price is a number of cents
export const text: NewLink = { title: 'Bolo', amountCents: '1990', methods: ['pix'] }
// @ts-expect-error a link has a title
export const untitled: NewLink = { amountCents: 1990, methods: ['pix'] }
// @ts-expect-error there is no such status
export const strange: Query = { status: 'paid' }
// @ts-expect-error links have no colour
export const readColour = (link: Link) => link.colour
// @ts-expect-error an event of any type has no refund
export const readRefund = (event: components['schemas']['Event']) => event.data.refund
`

test('generated types ask for what a request needs, and no more', async (context) => {
  const generated = await openapiTypescript(at('openapi.json'), '-o', at('api.ts'))
  needTool(context, generated)
  const compiled = await compile('typed.ts', TYPED, compilerOptions)

  expect(generated).toMatchObject({ status: 0 })
  expect(compiled).toEqual({ status: 0, output: '', errors: '' })
})

const PROGRAM = `
import { client } from './sdk/client.gen.ts'
import { zPaymentLink, zTransaction } from './sdk/zod.gen.ts'
import {
  createPaymentLink, getEvent, listEvents, listPaymentLinks, listTransactions,
  simulatePaymentLinkPayment, updatePaymentLink,
} from './sdk/sdk.gen.ts'

client.setConfig({ baseUrl: process.env.BASE_URL, auth: () => process.env.KEY, throwOnError: true })

const title = 'Bolo de cenoura'
const sent = {
  headers: { 'Idempotency-Key': 'pedido-1042' },
  body: { title, amountCents: 1990, methods: ['pix' as const], metadata: { pedido: '1042' } },
  throwOnError: true as const,
}
const made = await createPaymentLink(sent)
const again = await createPaymentLink(sent)
const paid = await simulatePaymentLinkPayment({
  path: { idOrSlug: made.data.id }, throwOnError: true,
})
const changed = await updatePaymentLink({
  path: { idOrSlug: made.data.slug }, body: { amountCents: 2990 }, throwOnError: true,
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
  again: again.data.id === made.data.id, changed: changed.data.amountCents,
  links: links.data.data.map(({ title }) => title),
  payments: payments.data.data.map(({ id }) => id === paid.data.id),
  none: none.data.data, later: [newWord.status, newWord.priceMode, newSource.feeSource], told, deliveries: looked?.data.deliveries,
}))
`

test('a generated client works, tells events apart by their type, and takes what is new', async (context) => {
  const { key } = await testApp.newCompany()
  const config = {
    input: at('openapi.json'),
    output: { path: at('sdk'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'],
  }
  writeFileSync(at('openapi-ts.config.json'), JSON.stringify(config))

  const generated = await heyApi('-f', at('openapi-ts.config.json'))
  needTool(context, generated)
  const options = {
    types,
    module,
    target,
    noEmit,
    strict,
    skipLibCheck,
    allowImportingTsExtensions,
  }
  const compiled = await compile('program.ts', PROGRAM, options)
  const ran = await runTool(process.execPath, [at('program.ts')], { BASE_URL: baseUrl, KEY: key })

  expect(generated, generated.errors).toMatchObject({ status: 0 })
  expect(compiled).toEqual({ status: 0, output: '', errors: '' })
  expect(ran).toMatchObject({ status: 0, errors: '' })
  expect(JSON.parse(ran.output)).toEqual({
    again: true,
    changed: 2990,
    links: ['Bolo de cenoura'],
    payments: [true],
    none: [],
    later: ['paused', 'open', 'bank'],
    told: [1990],
    deliveries: [],
  })
})
