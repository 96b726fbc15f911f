// What Postgres writes of a link is what we would: held to the answer's schema, and to the same list when it
// is narrowed by a filter, which reads rows and serialises them.
import { describe, expect, onTestFinished, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import { buildPageSchema } from '../../../src/http/pagination.ts'
import { PaymentLink } from '../../../src/payment-links/schema.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../../support/test-app.ts'

const { db, clock, newCompany, openReal } = await openTestApp()

const LINKS = '/api/payment-links'
/** Narrows the list to all there is. */
const EVER = 'createdFrom=2000-01-01T00:00:00Z'
const HOUR_MS = 3600 * 1000
const Page = buildPageSchema(PaymentLink.strict()).strict()

const company = await newCompany()
const customer = (await company.post('/api/customers', { name: 'Ana' })).json()
const soon = new Date(clock.now().getTime() + HOUR_MS).toISOString()

const FULL_LINK = {
  ...MINIMAL_LINK,
  description: 'Uma linha\ne "outra" com \\ barra / e 😀',
  methods: ['credit_card', 'pix'],
  maxInstallments: 12,
  interestMode: 'pass_to_customer',
  tags: ['a,b', '{c}', '"d"', 'e\\f', 'ção', 'NULL'],
  redirectUrl: 'https://example.com/?a="b"&c=%20',
  linkedCustomerId: customer.id,
  maxPayments: 3,
  externalReference: 'nº 1',
  metadata: { b: '1', aa: 'ção "😀"\\', 10: '', 'uma chave': '{"c": [1]}' },
  inactiveMessage: 'Volte\namanhã',
  customFields: [
    { label: 'Tamanho "G"', type: 'choice', required: true, options: ['P', 'Ç'] },
    { label: 'Turma', type: 'text' },
  ],
  successMessage: 'Obrigado\n😀',
  statementDescriptor: 'BOLO DA SOL',
}

const KINDS: Record<string, object> = {
  'with nothing that may be left out': {},
  'with all that may be said': FULL_LINK,
  'that is inactive': { status: 'inactive' },
  'that will expire': { expiresAt: new Date(clock.now().getTime() + 5 * HOUR_MS).toISOString() },
  'that has expired': { expiresAt: soon },
  'that has expired while inactive': { expiresAt: soon, status: 'inactive' },
}
for (const [title, fields] of Object.entries(KINDS)) {
  const { statusCode } = await company.post(LINKS, { ...MINIMAL_LINK, ...fields, title })
  expect(statusCode).toBe(201)
}
const { id } = (await company.post(LINKS, { ...MINIMAL_LINK, title: 'that is completed' })).json()
await db
  .update(paymentLinks)
  .set({ status: 'completed', imageHash: '0123456789abcdef' })
  .where(eq(paymentLinks.id, id))
const odd = (await company.post(LINKS, { ...MINIMAL_LINK, title: 'that no request makes' })).json()
const ODD_TEXT = '\u0001\b\f\v\u001f\u007f\u0085\u2028\u2029\ufeff</script>\u00ad'
await db
  .update(paymentLinks)
  .set({
    title: ODD_TEXT,
    tags: [ODD_TEXT],
    metadata: { [ODD_TEXT]: ODD_TEXT },
    createdAt: '2024-02-29T23:59:59.000Z',
    updatedAt: '2024-12-31T23:59:59.090Z',
  })
  .where(eq(paymentLinks.id, odd.id))
clock.offsetMs += 2 * HOUR_MS

test('the plain list says what its schema says, and what a narrowed list says of the same links', async () => {
  const plain = await company.get(LINKS)
  const narrowed = await company.get(`${LINKS}?${EVER}`)

  const page = Page.parse(plain.json())
  expect(page).toEqual(plain.json())
  expect(page).toEqual(narrowed.json())
  expect(new Set(page.data.map(({ status }) => status))).toEqual(
    new Set(['active', 'inactive', 'expired', 'completed']),
  )
  expect(page.data).toHaveLength(Object.keys(KINDS).length + 2)
  expect(plain.headers).toMatchObject({
    'content-type': narrowed.headers['content-type'],
    vary: 'accept',
  })
})

test('the two lists are the same to the byte, but for the order and the blanks of what is kept as JSON', async () => {
  const plain = await company.get(LINKS)
  const narrowed = await company.get(`${LINKS}?${EVER}`)

  const withoutJson = (body: string) =>
    body.replace(/"(metadata":\{.*?\}|customFields":\[.*?\]),"(?=inactive|image)/gs, '')
  expect(withoutJson(plain.body)).toBe(withoutJson(narrowed.body))
})

test('a page says that there are more only when there are', async () => {
  const count = Object.keys(KINDS).length + 2

  for (const limit of [count - 1, count, count + 1]) {
    const plain = (await company.get(`${LINKS}?limit=${limit}`)).json()
    expect(plain).toMatchObject({ hasMore: limit < count, limit })
    expect(plain.data).toHaveLength(Math.min(limit, count))
    const { nextCursor, ...narrowed } = (
      await company.get(`${LINKS}?limit=${limit}&${EVER}`)
    ).json()
    expect(plain).toMatchObject(narrowed)
    expect(plain.nextCursor === null).toBe(nextCursor === null)
  }
})

test('in a real environment each link says that it is real', async () => {
  const real = await openReal(await newCompany())
  await db.update(paymentLinks).set({ companyId: real.id }).where(eq(paymentLinks.id, odd.id))
  onTestFinished(async () => {
    await db.update(paymentLinks).set({ companyId: company.id }).where(eq(paymentLinks.id, odd.id))
  })

  const page = (await real.get(LINKS)).json()

  expect(page.data).toMatchObject([{ id: odd.id, testMode: false }])
  expect(page).toEqual((await real.get(`${LINKS}?${EVER}`)).json())
})

test('pages that are asked for at once are each their own', async () => {
  const other = await newCompany()
  const [first, second] = [await company.get(LINKS), await company.get(`${LINKS}?limit=1`)]

  const asked = [LINKS, `${LINKS}?limit=1`]
  const answers = await Promise.all([...asked.map((url) => company.get(url)), other.get(LINKS)])

  expect(answers.map(({ body }) => body)).toEqual([
    first.body,
    second.body,
    '{"data":[],"hasMore":false,"nextCursor":null,"limit":20}',
  ])
})

describe('the first page', () => {
  const titlesOf = async (of: TestCompany, query = '') =>
    (await of.get(`${LINKS}${query}`)).json().data.map(({ title }: { title: string }) => title)

  test('is the same to the byte while nothing changes, and says at once what another process did', async () => {
    const of = await newCompany()
    const [a, b] = await Promise.all(['A', 'B'].map((title) => newLink(of, title)))
    const before = await of.get(LINKS)
    expect((await of.get(LINKS)).body).toBe(before.body)

    for (const set of [{ title: 'A2' }, { title: 'A3', status: 'inactive' as const }]) {
      await db.update(paymentLinks).set(set).where(eq(paymentLinks.id, a.id))
      expect((await of.get(LINKS)).json().data).toContainEqual(expect.objectContaining(set))
    }
    await db.update(paymentLinks).set({ status: 'archived' }).where(eq(paymentLinks.id, b.id))
    expect(await titlesOf(of)).toEqual(['A3'])
    await newLink(of, 'C')
    expect(await titlesOf(of)).toEqual(['C', 'A3'])
    expect(await titlesOf(of, '?limit=1')).toEqual(['C'])
  })

  test('is read anew where one of many links that were made at once takes the place of another', async () => {
    const of = await newCompany()
    const batch = ['A', 'B', 'C', 'D'].map((title) => ({ ...MINIMAL_LINK, title }))
    expect((await of.post(`${LINKS}/batch`, { paymentLinks: batch })).statusCode).toBe(200)
    const [newest] = (await of.get(`${LINKS}?limit=2`)).json().data

    await db.update(paymentLinks).set({ status: 'archived' }).where(eq(paymentLinks.id, newest.id))

    expect(await titlesOf(of, '?limit=2')).not.toContain(newest.title)
    expect(await titlesOf(of, '?limit=2')).toHaveLength(2)
  })

  test('says that a link has expired from that moment on, and that there are more once there are', async () => {
    const of = await newCompany()
    const expiresAt = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    await of.post(LINKS, { ...MINIMAL_LINK, expiresAt })
    const read = async () => (await of.get(`${LINKS}?limit=1`)).json()
    expect(await read()).toMatchObject({ hasMore: false, data: [{ status: 'active' }] })

    clock.offsetMs += HOUR_MS
    expect(await read()).toMatchObject({ hasMore: false, data: [{ status: 'expired' }] })

    const [{ id: ours }] = (await read()).data
    const older = await newLink(of, 'Older')
    const below = `${ours.slice(0, -12)}000000000000`
    await db.update(paymentLinks).set({ id: below }).where(eq(paymentLinks.id, older.id))
    expect(await read()).toMatchObject({ hasMore: true, data: [{ id: ours }] })
  })
})

async function newLink(of: TestCompany, title: string) {
  return (await of.post(LINKS, { ...MINIMAL_LINK, title })).json()
}
