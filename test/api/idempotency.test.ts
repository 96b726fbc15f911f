import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { purgeIdempotencyKeys } from '../../src/api/idempotency.ts'
import { eq } from '../../src/database/drizzle.ts'
import { paymentLinks } from '../../src/database/tables.ts'
import {
  ENDPOINT_BODY,
  ENDPOINTS_PATH,
  isReplay,
  LINKS_PATH,
  openIdempotentRequests,
  REQUEST_LEASE_MS,
} from '../support/idempotent-requests.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany, anotherProcess, stored } = testApp
const { send, linksOf, keysOf, dieBeforeTheAnswer } = openIdempotentRequests(testApp)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('of twenty equal requests at once on two processes one is carried out', async () => {
  const company = await newCompany()
  const other = await anotherProcess()
  const key = randomUUID()

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      send(company, LINKS_PATH, MINIMAL_LINK, key, { process: i % 2 ? app : other }),
    ),
  )

  const made = answers.filter(({ statusCode }) => statusCode === 201)
  const first = made.filter((answer) => !isReplay(answer))
  const waiting = answers.filter(({ statusCode }) => statusCode !== 201)
  expect(await linksOf(company)).toBe(1)
  expect(first).toHaveLength(1)
  expect(new Set(made.map(({ body }) => body))).toEqual(new Set([first[0]!.body]))
  for (const answer of waiting) {
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'idempotency_in_progress' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }
})

test('a repetition is answered the same, says that it is one, and counts towards the limit', async () => {
  const company = await newCompany()
  const first = await send(company, LINKS_PATH, MINIMAL_LINK, 'pedido-1')

  const again = await send(company, LINKS_PATH, MINIMAL_LINK, 'pedido-1')

  expect(first.statusCode).toBe(201)
  expect(isReplay(first)).toBe(false)
  expect(isReplay(again)).toBe(true)
  expect([again.statusCode, again.body]).toEqual([201, first.body])
  expect(again.headers).toMatchObject({
    location: first.headers.location,
    'content-type': first.headers['content-type'],
    'ratelimit-remaining': String(Number(first.headers['ratelimit-remaining']) - 1),
  })
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  expect(await linksOf(company)).toBe(1)
})

test('the order of fields and a slash at the end make no other request', async () => {
  const company = await newCompany()
  const metadata = { b: '2', a: '1' }
  const first = await send(company, LINKS_PATH, { ...MINIMAL_LINK, metadata }, 'k')
  const turned = Object.fromEntries(Object.entries(MINIMAL_LINK).toReversed())

  const again = await send(
    company,
    `${LINKS_PATH}/`,
    { metadata: { a: '1', b: '2' }, ...turned },
    'k',
  )

  expect(isReplay(again)).toBe(true)
  expect(again.body).toBe(first.body)
})

test('an id in capitals or percent-encoded makes no other request', async () => {
  const company = await newCompany()
  const { id } = (await send(company, LINKS_PATH, MINIMAL_LINK, 'k')).json()
  const pay = (written: string) =>
    send(company, `${LINKS_PATH}/${written}/simulate-payment`, {}, 'paid')
  const first = await pay(id)

  for (const again of [await pay(id.toUpperCase()), await pay(id.replaceAll('0', '%30'))]) {
    expect(isReplay(again)).toBe(true)
    expect(again.body).toBe(first.body)
  }
  expect((await company.get('/api/transactions')).json().data).toHaveLength(1)
})

test('a path of characters that no database takes is refused like any other', async () => {
  const company = await newCompany()

  const refused = await send(company, `${LINKS_PATH}/%00%C3%A9/simulate-payment`, {}, 'k')

  expect(refused.statusCode).toBe(404)
})

test('the same key with another content is refused', async () => {
  const company = await newCompany()
  await send(company, LINKS_PATH, MINIMAL_LINK, 'pedido-1')
  const others = [
    { ...MINIMAL_LINK, amountCents: 1991 },
    { ...MINIMAL_LINK, tags: [] },
    { title: 7 },
    Object.entries(MINIMAL_LINK),
  ]

  for (const payload of others) {
    const refused = await send(company, LINKS_PATH, payload, 'pedido-1')

    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({
      status: 'error',
      code: 'idempotency_mismatch',
      message: 'Esta chave de idempotência já foi usada com outro conteúdo.',
    })
  }
  expect(await linksOf(company)).toBe(1)
})

test('what became of the thing since changes nothing in the answer', async () => {
  const company = await newCompany()
  const first = await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')
  const headers = { authorization: `Bearer ${company.key}` }
  await app.inject({ method: 'DELETE', url: first.headers.location!, headers })

  const again = await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')

  expect([again.statusCode, again.body]).toEqual([201, first.body])
  expect((await company.get(first.headers.location!)).statusCode).toBe(404)
})

test('the limit of requests is not kept', async () => {
  const company = await newCompany()
  const limit = { max: 100, windowMs: MINUTE_MS }
  for (let i = 0; i < 100; i++) await testApp.needs.limiter.countHit(company.keyId, limit)

  const refused = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  clock.offsetMs += MINUTE_MS
  const later = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')

  expect(refused.statusCode).toBe(429)
  expect([later.statusCode, isReplay(later)]).toEqual([201, false])
})

test('after a day a key is new again, and what is older is deleted', async () => {
  const company = await newCompany()
  const first = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await send(company, LINKS_PATH, MINIMAL_LINK, 'left alone')
  clock.offsetMs += 24 * HOUR_MS - 1_000
  const kept = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')

  clock.offsetMs += 2_000
  const later = await send(company, LINKS_PATH, { ...MINIMAL_LINK, amountCents: 5_000 }, 'k')
  await purgeIdempotencyKeys(db, clock.now())

  expect(isReplay(kept)).toBe(true)
  expect([later.statusCode, isReplay(later)]).toEqual([201, false])
  expect(later.json().id).not.toBe(first.json().id)
  expect((await keysOf(company)).map(({ key }) => key)).toEqual(['k'])
})

test('a key is of 1 to 255 visible characters of ASCII', async () => {
  const company = await newCompany()
  const message = 'Use de 1 a 255 caracteres ASCII visíveis.'
  for (const key of ['!', 'x'.repeat(255)]) {
    expect((await send(company, LINKS_PATH, MINIMAL_LINK, key)).statusCode).toBe(201)
  }

  for (const key of ['', 'x'.repeat(256), 'a b', 'ação', 'a\tb']) {
    const refused = await send(company, LINKS_PATH, MINIMAL_LINK, key)

    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toEqual([
      { field: 'Idempotency-Key', code: 'invalid_format', message },
    ])
  }
})

test('PATCH is answered again, too, and later changes stay', async () => {
  const company = await newCompany()
  const { id } = (await company.post(ENDPOINTS_PATH, ENDPOINT_BODY)).json()
  const path = `${ENDPOINTS_PATH}/${id}`
  const off = await send(company, path, { disabled: true }, 'off', { method: 'PATCH' })
  await send(company, path, { disabled: false }, 'on', { method: 'PATCH' })

  const again = await send(company, path, { disabled: true }, 'off', { method: 'PATCH' })

  expect([again.statusCode, again.body, isReplay(again)]).toEqual([200, off.body, true])
  expect((await company.get(path)).json()).toMatchObject({ disabled: false })
})

test('what no route takes keeps no key, however long its address', async () => {
  const company = await newCompany()
  const long = 'x'.repeat(8_000)

  const answers = [
    await send(company, '/api/nada', {}, 'k'),
    await send(company, LINKS_PATH, {}, 'k', { method: 'PUT' }),
    await send(company, `/api/events/${long}/redeliver`, {}, 'k'),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 405, 404])
  expect(await keysOf(company)).toEqual([])
})

test('card data is refused before a key is taken for it', async () => {
  const company = await newCompany()
  const leaking = { ...MINIMAL_LINK, description: '4111 1111 1111 1111' }

  const refused = await send(company, LINKS_PATH, leaking, 'k')

  expect(refused.json()).toMatchObject({ code: 'card_data_refused' })
  expect(await keysOf(company)).toEqual([])
})

test('a key that is a card number is refused, and an id that looks like one is not', async () => {
  const company = await newCompany()
  const accident = '55510029-1111-4444-8888-000000000000'

  const refused = await send(company, LINKS_PATH, MINIMAL_LINK, '4111-1111-1111-1111')
  const kept = await send(company, LINKS_PATH, MINIMAL_LINK, accident)

  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toEqual([
    {
      field: 'Idempotency-Key',
      code: 'card_data',
      message:
        'Dados de cartão não são aceitos aqui. O pagador os informa apenas na página de pagamento.',
    },
  ])
  expect(kept.statusCode).toBe(201)
  expect(await keysOf(company)).toMatchObject([{ key: accident }])
})

test('answers are kept encrypted, since some hold what is shown only once', async () => {
  const company = await newCompany()
  const { secret } = (await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')).json()
  await send(company, LINKS_PATH, { ...MINIMAL_LINK, title: 'Bolo secreto' }, 'k')
  await db.delete(paymentLinks).where(eq(paymentLinks.companyId, company.id))

  const everything = await stored()

  expect(secret).toMatch(/^whsec_/)
  expect(everything).not.toContain(secret)
  expect(everything).not.toContain('Bolo secreto')
  expect((await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')).json().secret).toBe(secret)
})

test('a key belongs to one API key and one route', async () => {
  const [ours, theirs] = [await newCompany(), await newCompany()]
  const { key: apiKey } = await issueApiKey(db, ours.id, 'Outra')
  const { id } = (await send(ours, LINKS_PATH, MINIMAL_LINK, 'k')).json()

  const others = await send(ours, LINKS_PATH, MINIMAL_LINK, 'k', { apiKey })
  const againOthers = await send(ours, LINKS_PATH, MINIMAL_LINK, 'k', { apiKey })
  const stranger = await send(theirs, LINKS_PATH, MINIMAL_LINK, 'k')
  const elsewhere = await send(ours, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')

  expect([isReplay(others), isReplay(againOthers)]).toEqual([false, true])
  expect(others.json().id).not.toBe(id)
  expect(againOthers.json().id).toBe(others.json().id)
  expect(stranger.statusCode).toBe(201)
  expect(stranger.json().id).not.toBe(id)
  expect(elsewhere.statusCode).toBe(201)
})

test('a secret that is shown once is repeated to the API key that asked for it alone', async () => {
  const company = await newCompany()
  const { key: apiKey } = await issueApiKey(db, company.id, 'Outra', ['webhook-endpoints'])
  const { secret } = (await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, '"k"')).json()

  const others = await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k', { apiKey })
  // Quotes are no part of it.
  const same = await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')

  expect(others.json().secret).not.toBe(secret)
  expect([isReplay(same), same.json().secret]).toEqual([true, secret])
})

test('what was refused keeps no answer: a corrected body uses the same key', async () => {
  const company = await newCompany()
  const invalid = { ...MINIMAL_LINK, amountCents: 1 }
  const absent = `${ENDPOINTS_PATH}/${randomUUID()}`
  const refused = await send(company, LINKS_PATH, invalid, 'k')
  const missing = await send(company, absent, { disabled: true }, 'k', { method: 'PATCH' })
  const left = await keysOf(company)

  const again = await send(company, LINKS_PATH, invalid, 'k')
  const corrected = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  const repeated = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')

  expect([refused.statusCode, missing.statusCode, left]).toEqual([422, 404, []])
  expect([again.statusCode, isReplay(again)]).toEqual([422, false])
  expect([corrected.statusCode, isReplay(corrected)]).toEqual([201, false])
  expect([repeated.body, isReplay(repeated)]).toEqual([corrected.body, true])
  expect(await linksOf(company)).toBe(1)
})

test('what may have been done before it was refused is not done by another request', async () => {
  const company = await newCompany()
  const linked = { ...MINIMAL_LINK, maxPayments: 1 }
  const { id } = (await send(company, LINKS_PATH, linked, 'k')).json()
  await dieBeforeTheAnswer(company, 'k')
  clock.offsetMs += REQUEST_LEASE_MS
  const [kept] = await keysOf(company)

  const other = await send(company, LINKS_PATH, { ...linked, amountCents: 1 }, 'k')
  const same = await send(company, LINKS_PATH, linked, 'k')

  expect(other.json()).toMatchObject({ code: 'idempotency_mismatch' })
  expect([same.statusCode, same.json().id, kept!.resourceId]).toEqual([201, id, id])
  expect(await linksOf(company)).toBe(1)
})
