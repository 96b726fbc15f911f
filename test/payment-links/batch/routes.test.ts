import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { newId, newSlug } from '../../../src/database/id.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import { insertLinks } from '../../../src/payment-links/batch/create.ts'
import { isReplay, openIdempotentRequests } from '../../support/idempotent-requests.ts'
import { LINKS_PATH } from '../../support/link-api.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, newCompany, openReal } = testApp
const { send, linksOf, dieBeforeTheAnswer } = openIdempotentRequests(testApp)

const BATCH_PATH = `${LINKS_PATH}/batch`
const LEASE_MS = 60_000

const postBatch = (company: TestCompany, paymentLinks: unknown) =>
  company.post(BATCH_PATH, { paymentLinks })
const buildLinks = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...MINIMAL_LINK, title: `Aluno ${i + 1}` }))

/** Of texts that each are allowed: a webhook could not carry them together. */
const TOO_MUCH = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`campo${i}`, '😀'.repeat(250)]),
)

test('each link is answered in its place: made, or refused as it would be alone', async () => {
  const company = await newCompany()
  const stranger = await newCompany()
  const { id: theirs } = (await stranger.post('/api/customers', { name: 'Maria' })).json()
  const { id: ours } = (await company.post('/api/customers', { name: 'João' })).json()
  const links = [
    { ...MINIMAL_LINK, linkedCustomerId: ours },
    { ...MINIMAL_LINK, amountCents: 999, maxInstalments: 3 },
    { ...MINIMAL_LINK, linkedCustomerId: theirs },
    { ...MINIMAL_LINK, expiresAt: '2020-01-01T00:00:00Z', linkedCustomerId: theirs },
    { ...MINIMAL_LINK, metadata: TOO_MUCH },
    'nothing of the kind',
    null,
    { ...MINIMAL_LINK, title: 'O último' },
  ]

  const response = await postBatch(company, links)

  const { data, created, refused } = response.json()
  expect(response.statusCode).toBe(200)
  expect([created, refused]).toEqual([2, 6])
  for (const [i, link] of links.entries()) {
    const alone = await company.raw(LINKS_PATH, JSON.stringify(link))
    if (alone.statusCode === 201) continue
    const { status: _, ...problem } = alone.json()
    expect(data[i]).toEqual({ status: alone.statusCode, ...problem })
  }
  const [first, last] = [data[0], data.at(-1)]
  expect(first).toEqual({
    status: 201,
    paymentLink: expect.objectContaining({ linkedCustomerId: ours }),
  })
  const read = await company.get(`${LINKS_PATH}/${last.paymentLink.slug}`)
  expect(read.json()).toMatchObject(last.paymentLink)
  expect(first.paymentLink.id < last.paymentLink.id).toBe(true)
})

test.each([
  ['none', [], 'too_small'],
  ['501', buildLinks(501), 'too_big'],
  ['no list', 'links', 'invalid_type'],
])('%s is refused as a whole', async (_, links, code) => {
  const company = await newCompany()

  const response = await postBatch(company, links)

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toEqual([
    { field: 'paymentLinks', code, message: expect.any(String) },
  ])
  expect(await linksOf(company)).toBe(0)
})

test('500 links are made by one request and count as one', async () => {
  const company = await newCompany()

  const response = await postBatch(company, buildLinks(500))

  expect(response.json()).toMatchObject({ created: 500, refused: 0 })
  expect(response.headers['ratelimit-remaining']).toBe('99')
  expect(await linksOf(company)).toBe(500)
  const slugs = response.json().data.map((one: Made) => one.paymentLink.slug)
  expect(new Set(slugs).size).toBe(500)
})

type Made = { paymentLink: { slug: string; id: string } }

test('a batch may have 1 MB, and one byte more is refused', async () => {
  const company = await newCompany()
  const body = JSON.stringify({ paymentLinks: buildLinks(1) })
  const padded = body + ' '.repeat(1_048_576 - body.length)

  const [fits, tooLong] = [
    await company.raw(BATCH_PATH, padded),
    await company.raw(BATCH_PATH, `${padded} `),
  ]

  expect(fits.statusCode).toBe(200)
  expect([tooLong.statusCode, tooLong.json().message]).toEqual([
    413,
    'O corpo da requisição excede o limite de 1 MB.',
  ])
})

test('a card number in one link refuses all, and names where it stands', async () => {
  const company = await newCompany()
  const links = [MINIMAL_LINK, { ...MINIMAL_LINK, title: 'Cartão 4111 1111 1111 1111' }]

  const response = await postBatch(company, links)

  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({
    code: 'card_data_refused',
    errors: [{ field: 'paymentLinks.1.title', code: 'card_data' }],
  })
  expect(await linksOf(company)).toBe(0)
})

test('a batch sent again under its key is answered again, and made once', async () => {
  const company = await newCompany()
  const body = { paymentLinks: [...buildLinks(3), { title: 'Sem valor' }] }

  const first = await send(company, BATCH_PATH, body, 'lote-1')
  const again = await send(company, BATCH_PATH, body, 'lote-1')
  const other = await send(company, BATCH_PATH, { paymentLinks: buildLinks(2) }, 'lote-1')

  expect([first.statusCode, isReplay(first), isReplay(again)]).toEqual([200, false, true])
  expect(again.body).toBe(first.body)
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_mismatch'])
  expect(await linksOf(company)).toBe(3)
})

test('a batch that made nothing lets go of its key, for one that is mended', async () => {
  const company = await newCompany()
  const refused = { paymentLinks: [{ title: 'Sem valor' }] }

  const first = await send(company, BATCH_PATH, refused, 'lote-2')
  const again = await send(company, BATCH_PATH, refused, 'lote-2')
  const mended = await send(company, BATCH_PATH, { paymentLinks: buildLinks(1) }, 'lote-2')

  expect([first.statusCode, isReplay(again)]).toEqual([200, false])
  expect(mended.json()).toMatchObject({ created: 1, refused: 0 })
})

test('a batch is found, not made again, after its process died before it answered', async () => {
  const company = await newCompany()
  const expiresAt = new Date(clock.now().getTime() + LEASE_MS / 2).toISOString()
  const links = [...buildLinks(2), { ...MINIMAL_LINK, expiresAt }, { title: 'Sem valor' }]
  const first = await send(company, BATCH_PATH, { paymentLinks: links }, 'lote')
  await dieBeforeTheAnswer(company, 'lote')

  clock.offsetMs += 2 * LEASE_MS
  const again = await send(company, BATCH_PATH, { paymentLinks: links }, 'lote')
  clock.offsetMs = 0

  const idsOf = (answer: typeof first) =>
    answer.json().data.map((one: Partial<Made>) => one.paymentLink?.id)
  expect(isReplay(again)).toBe(false)
  expect(idsOf(again)).toEqual(idsOf(first))
  expect(again.json()).toMatchObject({ created: 3, refused: 1 })
  expect(await linksOf(company)).toBe(3)
})

test('a batch belongs to the environment of its key, even before payments are possible there', async () => {
  const company = await newCompany()
  const real = await openReal(company)

  const [inTest, inReal] = [
    await postBatch(company, buildLinks(1)),
    await postBatch(real, buildLinks(1)),
  ]

  expect(inTest.json().data[0].paymentLink.testMode).toBe(true)
  expect(inReal.json()).toMatchObject({
    created: 0,
    data: [{ status: 422, code: 'method_unavailable', errors: [{ field: 'methods' }] }],
  })
})

test('a slug that is taken is replaced, without an error', async () => {
  const company = await newCompany()
  const first = (await postBatch(company, buildLinks(1))).json().data[0].paymentLink
  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.id, first.id))
  const rows = [
    { ...row!, id: newId() },
    { ...row!, id: newId(), slug: newSlug() },
  ]

  const written = await insertLinks(db, rows)

  expect([...written].toSorted()).toEqual(rows.map(({ id }) => id))
  expect(rows[0]!.slug).not.toBe(first.slug)
  expect(await linksOf(company)).toBe(3)
})
