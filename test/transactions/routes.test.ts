// A company's transactions as its program reads them: one by one, by link, and in lists.
import { afterEach, expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { transactions } from '../../src/database/tables.ts'
import type { TransactionResource } from '../../src/transactions/schema.ts'
import { buildTestCard, openCheckout, PIX } from '../support/payer.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const asking = await newCompany()

const TRANSACTIONS = '/api/transactions'
const HOUR_MS = 3_600_000

type Page = {
  data: TransactionResource[]
  hasMore: boolean
  nextCursor: string | null
  limit: number
}
type Query = Record<string, string> | [string, string][]

afterEach(() => {
  clock.offsetMs = 0
})

async function list(company: TestCompany, query: Query = {}, path = TRANSACTIONS): Promise<Page> {
  const response = await company.get(`${path}?${new URLSearchParams(query)}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}

const ids = ({ data }: Page) => data.map(({ id }) => id)

test('a company without payments has an empty list', async () => {
  const company = await newCompany()

  expect(await list(company)).toEqual({ data: [], hasMore: false, nextCursor: null, limit: 20 })
})

test('a transaction is read as its webhook told it, with its refunds beside', async () => {
  const company = await newCompany()
  const link = await newLink({ externalReference: 'PED-7', metadata: { pedido: '7' } }, company)
  const { row } = await pay(link, buildTestCard('ok'))

  const response = await company.get(`${TRANSACTIONS}/${row.id.toUpperCase()}`)

  expect(response.statusCode).toBe(200)
  const { refunds, disputes, incomingPayments, ...transaction } = response.json()
  expect([refunds, disputes, incomingPayments]).toEqual([[], [], []])
  expect(transaction).toMatchObject({
    id: row.id,
    paymentLinkId: link.id,
    paymentLinkSlug: link.slug,
    status: 'approved',
    method: 'credit_card',
    totalCents: 10_000,
    refundedCents: 0,
    customer: { id: row.customerId, name: 'Maria da Silva', taxId: '***.982.247-**' },
    externalReference: 'PED-7',
    metadata: { pedido: '7' },
    holdReason: null,
    testMode: true,
  })
  expect(response.body).not.toContain('52998224725')
  expect((await list(company)).data).toEqual([transaction])
})

test('a list goes from the newest on, page by page, without gap or repeat', async () => {
  const company = await newCompany()
  const { newMerchant, addPayment } = openPayments({ db, newCompany: async () => company })
  const merchant = await newMerchant()
  const add = (second: number) => addPayment(merchant, `2026-11-28T11:00:0${second}.000Z`)
  const paid: string[] = []
  for (let i = 0; i < 5; i++) paid.unshift(await add(i))

  const first = await list(company, { limit: '2' })
  await add(9)
  const second = await list(company, { limit: '2', cursor: first.nextCursor! })
  const third = await list(company, { limit: '2', cursor: second.nextCursor! })

  expect([first, second, third].flatMap(ids)).toEqual(paid)
  expect([first, second, third].map(({ hasMore }) => hasMore)).toEqual([true, true, false])
  expect(third.nextCursor).toBeNull()
})

test('a list is narrowed by each filter and by several', async () => {
  const company = await newCompany()
  const cake = await newLink({ tags: ['doce', 'bolo'], externalReference: 'A-1' }, company)
  const bread = await newLink({ tags: ['pão', 'doce'] }, company)
  const begun = clock.now().getTime()
  const one = (await pay(cake, buildTestCard('ok'))).row
  clock.offsetMs = HOUR_MS
  const two = (await pay(cake, buildTestCard('generic', { taxId: '111.444.777-35' }))).row
  clock.offsetMs = 2 * HOUR_MS
  const three = (await pay(bread, PIX)).row
  const names = new Map([one, two, three].map(({ id }, i) => [id, `${i + 1}`]))
  const found = async (query: Query) =>
    ids(await list(company, query))
      .map((id) => names.get(id))
      .join('')
  const { createdAt } = two

  expect(await found({})).toBe('321')
  expect(await found({ status: 'declined' })).toBe('2')
  expect(await found({ status: 'refunded' })).toBe('')
  expect(await found({ method: 'pix' })).toBe('3')
  expect(await found({ paymentLinkId: cake.id })).toBe('21')
  expect(await found({ paymentLinkId: cake.id.toUpperCase() })).toBe('21')
  expect(await found({ customerId: two.customerId })).toBe('2')
  expect(await found({ tag: 'doce' })).toBe('321')
  expect(
    await found([
      ['tag', 'doce'],
      ['tag', 'bolo'],
    ]),
  ).toBe('21')
  expect(
    await found([
      ['tag', 'pão'],
      ['tag', 'bolo'],
    ]),
  ).toBe('')
  expect(await found({ tag: 'doc' })).toBe('')
  expect(await found({ externalReference: 'A-1' })).toBe('21')
  expect(await found({ createdFrom: createdAt })).toBe('32')
  expect(await found({ createdTo: createdAt })).toBe('21')
  expect(await found({ createdFrom: createdAt, createdTo: createdAt })).toBe('2')
  expect(await found({ createdFrom: new Date(Date.parse(createdAt) + 1).toISOString() })).toBe('3')
  expect(await found({ createdTo: new Date(Date.parse(createdAt) - 1).toISOString() })).toBe('1')
  expect(await found({ createdFrom: new Date(begun + 9 * HOUR_MS).toISOString() })).toBe('')
  expect(
    await found({ createdFrom: '0001-01-01T00:00:00Z', createdTo: '9999-12-31T00:00:00Z' }),
  ).toBe('321')
  expect(await found({ createdFrom: createdAt.replace('Z', '-03:00') })).toBe('')
  expect(await found({ tag: 'doce', status: 'approved', method: 'credit_card' })).toBe('1')
  expect(await found({ paymentLinkId: newId() })).toBe('')
})

test.each([
  ['status', 'paid', /^Use um destes valores: pending/],
  ['method', 'boleto', 'Use um destes valores: pix, credit_card.'],
  ['paymentLinkId', 'a-b', 'Informe o id ou o slug de um link.'],
  ['customerId', '', 'Informe um UUID válido.'],
  ['tag', '', 'Informe ao menos 1 caractere.'],
  ['tag', '\0', 'Remova os caracteres de controle ou invisíveis deste texto.'],
  ['externalReference', 'r'.repeat(65), 'Use no máximo 64 caracteres.'],
  ['createdFrom', '2026-01-01', /^Informe uma data ISO 8601 com fuso/],
  ['createdTo', '9999-12-31T23:59:59-12:00', /^Informe uma data ISO 8601 com fuso/],
  ['cursor', 'xyz', 'Cursor inválido. Use o nextCursor da página anterior, com os mesmos filtros.'],
  ['limit', '101', 'Informe um número inteiro de 1 a 100.'],
  ['page', '2', 'Campo desconhecido.'],
  ['from', '2026-01-01T00:00:00Z', 'Campo desconhecido.'],
])('a list asked for with %s=%j is refused', async (field, value, message) => {
  const response = await asking.get(`${TRANSACTIONS}?${new URLSearchParams({ [field]: value })}`)

  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({
    code: 'validation_error',
    errors: [
      {
        field,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    ],
  })
})

test('every parameter but the tag may be given once, and tags at most twenty times', async () => {
  const company = await newCompany()
  const fields = [
    'limit',
    'cursor',
    'status',
    'method',
    'paymentLinkId',
    'customerId',
    'createdFrom',
    'createdTo',
  ]

  for (const field of [...fields, 'externalReference']) {
    const response = await company.get(`${TRANSACTIONS}?${field}=1&${field}=2`)
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toMatchObject([{ field }])
  }
  const tags = (n: number) =>
    Array.from({ length: n }, (_, i) => ['tag', `${i}`]) as [string, string][]

  expect((await list(company, tags(20))).data).toEqual([])
  const tooMany = await company.get(`${TRANSACTIONS}?${new URLSearchParams(tags(21))}`)
  expect(tooMany.statusCode).toBe(422)
})

test('the payments of one link are listed by its id or slug, narrowed like any', async () => {
  const company = await newCompany()
  const [link, other] = [await newLink({}, company), await newLink({}, company)]
  const mine = (await pay(link, buildTestCard('ok'))).row
  const declined = (await pay(link, buildTestCard('generic'))).row
  await pay(other, buildTestCard('ok'))

  for (const name of [link.id, link.slug]) {
    const byName = { paymentLinkId: name }
    expect(ids(await list(company, byName)).toSorted()).toEqual([mine.id, declined.id].toSorted())
    const csv = await company.get(`${TRANSACTIONS}.csv?paymentLinkId=${name}`)
    expect(csv.body.trim().split('\n')).toHaveLength(3)
    expect(ids(await list(company, { ...byName, status: 'declined' }))).toEqual([declined.id])
  }
})

test('a payment carries its own instant in its id', async () => {
  clock.offsetMs = -400 * 24 * HOUR_MS
  const { row } = await pay(await newLink(), buildTestCard('ok'))

  const [stored] = await db.select().from(transactions).where(eq(transactions.id, row.id))

  const ms = Number.parseInt(row.id.replace('-', '').slice(0, 12), 16)
  expect(new Date(ms).toISOString()).toBe(stored!.createdAt)
  expect(await read(row.id)).toEqual(stored)
})
