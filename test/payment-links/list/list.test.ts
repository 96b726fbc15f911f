import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { newId, newToken } from '../../../src/database/id.ts'
import { customers, paymentLinks, transactions } from '../../../src/database/tables.ts'
import { bookMovements } from '../../../src/movements/book.ts'
import type { PaymentLink } from '../../../src/payment-links/schema.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../../support/test-app.ts'

const { db, clock, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const HOUR_MS = 3600 * 1000

type Page = { data: PaymentLink[]; hasMore: boolean; nextCursor: string | null; limit: number }

async function create(company: TestCompany, fields: object = {}): Promise<PaymentLink> {
  const response = await company.post(LINKS, { ...MINIMAL_LINK, ...fields })
  expect(response.statusCode).toBe(201)
  return response.json()
}

async function list(company: TestCompany, query: Record<string, string> = {}): Promise<Page> {
  const response = await company.get(`${LINKS}?${new URLSearchParams(query)}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}

const titles = ({ data }: Page) => data.map(({ title }) => title)

/** A transaction of this link, as far as its totals are concerned. */
async function addTransaction(link: PaymentLink, company: TestCompany, fields: object) {
  const payer = { payerName: 'Maria', payerEmail: 'm@x.com.br', payerTaxId: '52998224725' }
  const ids = { id: newId(), companyId: company.id, customerId: newId(), paymentLinkId: link.id }
  await db.insert(customers).values({ ...ids, id: ids.customerId, name: 'Maria' })
  await db.insert(transactions).values({
    ...ids,
    ...payer,
    attemptToken: newToken(),
    token: newToken(),
    method: 'pix',
    status: 'pending',
    amountCents: 1990,
    interestCents: 0,
    totalCents: 1990,
    installments: 1,
    installmentCents: 1990,
    interestMode: 'absorb',
    interestRateBps: 0,
    provider: 'sandbox',
    testMode: true,
    metadata: {},
    tags: [],
    ...fields,
  })
  await bookMovements(db, [ids.id], { bookedAt: null })
}

test('a company with no links has an empty list', async () => {
  const company = await newCompany()

  expect(await list(company)).toEqual({ data: [], hasMore: false, nextCursor: null, limit: 20 })
})

test('links are paged, newest first and twenty at a time, without gap or repeat while new ones are made', async () => {
  const company = await newCompany()
  const first = await create(company)
  await db.$client.query(COPIES, [first.id])
  const { rows } = await db.$client.query(
    'select id from payment_links where company_id = $1 order by id desc',
    [company.id],
  )

  const seen: Page[] = []
  for (let cursor: string | null | undefined; cursor !== null; cursor = seen.at(-1)!.nextCursor) {
    seen.push(await list(company, cursor ? { cursor } : {}))
    await create(company, { title: 'Feito entre duas páginas' })
  }

  expect(seen.map(({ data, hasMore, limit }) => [data.length, hasMore, limit])).toEqual([
    [20, true, 20],
    [20, true, 20],
    [5, false, 20],
  ])
  expect(seen.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(rows.map(({ id }) => id))
  expect(seen.at(-1)!.data.at(-1)).toEqual(first)
  expect(await list(company, { limit: '100' })).toMatchObject({ hasMore: false, nextCursor: null })
})

/** 44 links more, made right after this one. */
const COPIES = `insert into payment_links
  select copy.* from payment_links link, generate_series(1, 44) i, jsonb_populate_record(link,
    jsonb_build_object('id', left(link.id::text, 24) || 'ffffffffff' || lpad(i::text, 2, '0'), 'slug', 'copia' || i)) copy
  where link.id = $1`

test('a cursor keeps to the filter it was asked with', async () => {
  const company = await newCompany()
  for (let i = 0; i < 6; i++) await create(company, { title: `${i}`, tags: [i % 2 ? 'b' : 'a'] })

  const first = await list(company, { tag: 'a', limit: '2' })
  const second = await list(company, { tag: 'a', limit: '2', cursor: first.nextCursor! })

  expect([titles(first), titles(second)]).toEqual([['4', '2'], ['0']])
  expect(second.nextCursor).toBeNull()
})

test('a list is narrowed by status, tag, method, title, reference and time', async () => {
  const company = await newCompany()
  const begun = clock.now().getTime()
  const soon = new Date(begun + HOUR_MS).toISOString()
  await create(company, { title: 'Bolo 100% cacau', tags: ['doce', 'bolo'] })
  const bread = { title: 'Pão', methods: ['credit_card'], externalReference: 'A-1' }
  const { slug } = await create(company, bread)
  await create(company, { title: 'Café', methods: ['pix', 'credit_card'], status: 'inactive' })
  await create(company, { title: 'Torta', expiresAt: soon, tags: ['doce'] })
  const completed = await create(company, { title: 'Feito' })
  const archived = await create(company, { title: 'Velho' })
  const set = ({ id }: { id: string }, status: 'completed' | 'archived') =>
    db.update(paymentLinks).set({ status }).where(eq(paymentLinks.id, id))
  await set(completed, 'completed')
  await set(archived, 'archived')
  clock.offsetMs += 2 * HOUR_MS
  const between = new Date(begun + HOUR_MS).toISOString()
  await create(company, { title: 'Tarde' })

  const found = async (query: Record<string, string>) => titles(await list(company, query)).join()

  expect(await found({})).toBe('Tarde,Feito,Torta,Café,Pão,Bolo 100% cacau')
  expect(await found({ status: 'active' })).toBe('Tarde,Pão,Bolo 100% cacau')
  expect(await found({ status: 'expired' })).toBe('Torta')
  expect(await found({ status: 'inactive' })).toBe('Café')
  expect(await found({ status: 'completed' })).toBe('Feito')
  expect(await found({ status: 'archived' })).toBe('Velho')
  expect(await found({ tag: 'doce' })).toBe('Torta,Bolo 100% cacau')
  expect(await found({ tag: 'doc' })).toBe('')
  expect(await found({ method: 'credit_card' })).toBe('Café,Pão')
  expect(await found({ method: 'pix', status: 'inactive' })).toBe('Café')
  expect(await found({ q: 'BOLO' })).toBe('Bolo 100% cacau')
  expect(await found({ q: '0%' })).toBe('Bolo 100% cacau')
  expect(await found({ q: '%' })).toBe('Bolo 100% cacau')
  expect(await found({ q: '_' })).toBe('')
  expect(await found({ externalReference: 'A-1' })).toBe('Pão')
  for (const q of ['A-1', slug, 'pao'])
    expect(await found({ externalReference: 'A-1', q })).toBe('Pão')
  expect(await found({ externalReference: 'A-2', q: 'A-1' })).toBe('')
  expect(await found({ createdFrom: between })).toBe('Tarde')
  expect(await found({ createdTo: between, tag: 'bolo' })).toBe('Bolo 100% cacau')
  expect(await found({ createdFrom: between.replace('Z', '+00:00'), createdTo: between })).toBe('')
})

const ONE_CURSOR = 'Cursor inválido. Use o nextCursor da página anterior, com os mesmos filtros.'
const LIMITS = 'Informe um número inteiro de 1 a 100.'
const ISO = expect.stringMatching(/^Informe uma data ISO 8601 com fuso/)
const ONCE = 'Informe um só valor.'

test('a list asked for what there is not is refused by name, with what there is', async () => {
  const company = await newCompany()
  const asked: [query: string, message: string][] = [
    ['cursor=xyz', ONE_CURSOR],
    [`cursor=${newId()}`, ONE_CURSOR],
    ...['0', '101', '1e1', ''].map((limit): [string, string] => [`limit=${limit}`, LIMITS]),
    ['status=paid', 'Use um destes valores: active, inactive, expired, completed, archived.'],
    ['method=boleto', 'Use um destes valores: pix, credit_card.'],
    ['tag=', 'Informe ao menos 1 caractere.'],
    ['q=%00', 'Remova os caracteres de controle ou invisíveis deste texto.'],
    ['createdFrom=2026-01-01', ISO],
    [
      'createdFrom=2026-01-01T00:00:00+03:00',
      expect.stringMatching(/^Num endereço, o \+ do fuso se escreve %2B/),
    ],
    ['createdFrom=0000-01-01T00:00:00Z', ISO],
    ['createdTo=9999-12-31T23:59:59-12:00', ISO],
    ['page=2', 'Campo desconhecido.'],
    ['limit=1&limit=2', ONCE],
    ['q=1&q=2', ONCE],
    ['createdFrom=1&createdFrom=2', ONCE],
  ]

  for (const [query, message] of asked) {
    const response = await company.get(`${LINKS}?${query}`)

    const [field] = query.split('=')
    expect(response.statusCode, query).toBe(422)
    expect(response.json()).toMatchObject({
      ...{ code: 'validation_error', errors: [{ field, message }] },
    })
  }
})

test('one link is read by its id or slug, with what it brought', async () => {
  const company = await newCompany()
  const link = await create(company, { description: 'Com cobertura' })
  const totals = (paymentsCount: number, amountReceivedCents: number) => ({
    ...link,
    paymentsCount,
    amountReceivedCents,
    recipients: [],
  })
  expect((await company.get(`${LINKS}/${link.id}`)).json()).toEqual(totals(0, 0))

  const approvedAt = clock.now().toISOString()
  await addTransaction(link, company, { status: 'approved', approvedAt })
  const refunded = { status: 'partially_refunded', approvedAt, refundedCents: 990 }
  await addTransaction(link, company, refunded)
  await addTransaction(link, company, { status: 'approved', approvedAt, chargedBackCents: 90 })
  const lost = { status: 'charged_back', approvedAt, chargedBackCents: link.amountCents }
  await addTransaction(link, company, lost)
  for (const status of ['pending', 'declined', 'expired']) {
    await addTransaction(link, company, { status })
  }

  for (const name of [link.id, link.id.toUpperCase(), link.slug]) {
    const response = await company.get(`${LINKS}/${name}`)
    expect(response.json()).toEqual(totals(3, 4890))
  }

  await addTransaction(link, company, { status: 'approved', approvedAt })
  expect((await company.get(`${LINKS}/${link.id}`)).json()).toEqual(totals(4, 6880))
})

test('of links that are made at once each is found by its own labels', async () => {
  const company = await newCompany()
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      create(company, {
        title: `Bolo ${name}`,
        tags: ['bolos', name, name],
        metadata: { pedido: name, loja: 'Centro' },
      }),
    ),
  )
  const plain = await create(company, { title: 'Sem nada' })

  expect(titles(await list(company, { tag: 'c' }))).toEqual(['Bolo c'])
  expect(titles(await list(company, { 'metadata[pedido]': 'b' }))).toEqual(['Bolo b'])
  expect(titles(await list(company, { tag: 'bolos' })).sort()).toEqual(
    made.map(({ title }) => title).sort(),
  )
  expect(titles(await list(company, { 'metadata[loja]': 'Centro' }))).not.toContain(plain.title)
})
