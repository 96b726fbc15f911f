import { createHash } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { issueApiKey, listApiKeys, revokeApiKey } from '../../src/api/api-key.ts'
import { isWellFormedApiKey } from '../../src/api/key-text.ts'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { apiKeys } from '../../src/database/tables.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { app, db, needs, clock, logged, newCompany, anotherProcess, stored } = await openTestApp()

const LINKS = '/api/payment-links'
const REFUSAL = { status: 'error', message: 'Chave de API inválida ou ausente.' }

const knock = (authorization: string, remoteAddress = '127.0.0.1') =>
  app.inject({ url: LINKS, headers: { authorization }, remoteAddress })

/** The same key with its last character changed. */
function misspelt(key: string) {
  return key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
}

function spyOnStatements() {
  const statements = vi.spyOn(db.$client, 'query')
  onTestFinished(() => statements.mockRestore())
  return statements
}

/** A key with the right checksum that no caller has. */
async function strangersKey() {
  const { id, key } = await issueApiKey(db, (await newCompany()).id, 'De ninguém')
  await revokeApiKey(db, id, new Date())
  return key
}

test('a key is sk_live_ and 38 letters and digits, and no two are alike', async () => {
  const company = await newCompany()

  const keys = await Promise.all(
    Array.from({ length: 50 }, async () => (await issueApiKey(db, company.id, 'Loja')).key),
  )

  expect(keys.filter((key) => /^sk_live_[0-9A-Za-z]{38}$/.test(key))).toHaveLength(50)
  expect(new Set(keys).size).toBe(50)
})

test('what is no key is refused', async () => {
  const wrong = [
    ...['', 'Bearer', 'Bearer sk_live_nope', 'Basic c2tfbGl2ZTo='],
    ...[`Bearer sk_live_${'0'.repeat(38)}`, `Bearer sk_live_${'x'.repeat(8_000)}`],
  ]
  for (const authorization of wrong) {
    const response = await knock(authorization)

    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual(REFUSAL)
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'www-authenticate': 'Bearer',
    })
  }
})

test('a missing, an unknown and a revoked key get the very same answer', async () => {
  const company = await newCompany()
  await revokeApiKey(db, company.keyId, new Date())

  const answers = [
    await app.inject(LINKS),
    await knock(`Bearer ${misspelt(company.key)}`),
    await knock(`Bearer ${await strangersKey()}`),
    await knock(`Bearer ${company.key}`),
  ]

  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(answers[0]!.json()).toEqual(REFUSAL)
})

test.each([
  ['POST', LINKS, '{'],
  ['POST', LINKS, 'x'.repeat(100_000)],
  ['GET', `${LINKS}?limit=0`, undefined],
  ['GET', `${LINKS}/${newId()}`, undefined],
  ['PUT', LINKS, '{}'],
  ['GET', '/api/nada', undefined],
] as const)('without a key %s %s is a 401, whatever else is wrong with it', async (...request) => {
  const [method, url, payload] = request
  const headers = { 'content-type': 'application/json' }

  const response = await app.inject({ method, url, headers, ...(payload && { payload }) })

  expect(response.statusCode).toBe(401)
  expect(response.json()).toEqual(REFUSAL)
})

test('the scheme is read in any case, and a key anywhere else is none', async () => {
  const { key } = await newCompany()

  expect((await knock(`bearer  ${key}`)).statusCode).toBe(200)
  expect((await app.inject(`${LINKS}?key=${key}`)).statusCode).toBe(401)
  const headers = { cookie: `authorization=${key}`, 'x-api-key': key }
  expect((await app.inject({ url: LINKS, headers })).statusCode).toBe(401)
})

test('junk is refused before the database is asked', async () => {
  const { key } = await newCompany()
  const statements = spyOnStatements()

  const refused = await knock(`Bearer ${misspelt(key)}`)
  const before = statements.mock.calls.length
  const known = await knock(`Bearer ${key}`)

  expect([refused.statusCode, before, known.statusCode]).toEqual([401, 0, 200])
  expect(isWellFormedApiKey(misspelt(key))).toBe(false)
})

test('only the hash of a key is kept, and nothing of it is logged', async () => {
  const company = await newCompany()
  await company.get(LINKS)

  const everything = await stored()

  expect(everything).toContain(createHash('sha256').update(company.key).digest('hex'))
  for (const form of ['utf8', 'hex', 'base64'] as const) {
    const secret = Buffer.from(company.key.slice(8, -4)).toString(form)
    expect(everything).not.toContain(secret.slice(0, 30))
    expect(logged.join()).not.toContain(secret.slice(0, 30))
  }
})

test('a company lists its keys by name and last four characters, with their last use', async () => {
  const company = await newCompany()
  const second = await issueApiKey(db, company.id, 'Loja virtual')
  const list = () => listApiKeys(db, company.id)
  await company.get(LINKS)
  // No answer waits for its use to be written.
  await expect.poll(async () => (await list())[0]!.lastUsedAt).not.toBeNull()

  const keys = await list()

  expect(keys).toMatchObject([
    { id: company.keyId, name: 'Testes', lastFour: company.key.slice(-4), revokedAt: null },
    { id: second.id, name: 'Loja virtual', lastFour: second.key.slice(-4), lastUsedAt: null },
  ])
  expect(Date.parse(keys[0]!.lastUsedAt!)).toBeGreaterThan(clock.now().getTime() - 60_000)
  expect(JSON.stringify(keys)).not.toContain(company.key.slice(8, 30))
})

test('a use within a minute of the one before is not written again', async () => {
  const [recent, old] = [await newCompany(), await newCompany()]
  const before = (agoMs: number) => new Date(clock.now().getTime() - agoMs).toISOString()
  const [thirty, sixtyOne] = [before(30_000), before(61_000)]
  const setUse = ({ keyId }: { keyId: string }, lastUsedAt: string) =>
    db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, keyId))
  const readUse = async ({ id }: { id: string }) => (await listApiKeys(db, id))[0]?.lastUsedAt
  await setUse(recent, thirty)
  await setUse(old, sixtyOne)

  await recent.get(LINKS)
  // Uses are written in their order.
  await old.get(LINKS)
  await expect.poll(() => readUse(old)).not.toBe(sixtyOne)

  expect(await readUse(recent)).toBe(thirty)
})

test('keys that ask at once are looked up together, and each is answered as its own', async () => {
  const companies = await Promise.all(Array.from({ length: 8 }, () => newCompany()))
  await Promise.all(companies.map(({ post }) => post(LINKS, MINIMAL_LINK)))
  const keys = [...companies.map(({ key }) => key), await strangersKey()]
  const statements = spyOnStatements()

  const answers = await Promise.all(keys.map((key) => knock(`Bearer ${key}`)))

  const lookups = statements.mock.calls.filter((call) =>
    JSON.stringify(call).includes('secret_hash'),
  )
  expect(lookups.length).toBeLessThan(keys.length / 2)
  expect(answers.pop()?.statusCode).toBe(401)
  const own = await Promise.all(companies.map(({ get }) => get(LINKS)))
  expect(answers.map(({ body }) => body)).toEqual(own.map(({ body }) => body))
})

test('a revoked key fails at its next request, on every process, and other keys go on', async () => {
  const company = await newCompany()
  const spare = await issueApiKey(db, company.id, 'Reserva')
  const other = await anotherProcess()
  const ask = async ({ key }: { key: string }, process = app) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await process.inject({ url: LINKS, headers })).statusCode
  }
  for (const process of [app, other]) expect(await ask(company, process)).toBe(200)

  expect(await revokeApiKey(db, company.keyId, new Date())).toEqual({ kind: 'revoked' })

  expect([await ask(company), await ask(company, other)]).toEqual([401, 401])
  expect([await ask(spare), await ask(spare, other)]).toEqual([200, 200])
  expect(await revokeApiKey(db, company.keyId, new Date())).toEqual({ kind: 'notActive' })
  expect(await revokeApiKey(db, newId(), new Date())).toEqual({ kind: 'notActive' })
})

test('guessing is limited by address, which a header cannot change, and hurts no one with a key', async () => {
  const company = await newCompany()
  const guess = (remoteAddress: string, forwarded = remoteAddress) => {
    const headers = { authorization: 'Bearer x', 'x-forwarded-for': forwarded }
    return app.inject({ url: LINKS, headers, remoteAddress })
  }
  expect((await guess('10.1.1.1')).statusCode).toBe(401)
  for (let i = 1; i < 100; i++) {
    await needs.limiter.countHit('bad-key:10.1.1.1', { max: 100, windowMs: 60_000 })
  }

  const refused = await guess('10.1.1.1', '10.9.9.9')

  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({
    status: 'error',
    message: 'Limite de requisições excedido. Tente novamente em instantes.',
  })
  expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  expect((await guess('10.1.1.2')).statusCode).toBe(401)
  expect((await knock(`Bearer ${company.key}`, '10.1.1.1')).statusCode).toBe(200)
  clock.offsetMs += Number(refused.headers['retry-after']) * 1000
  expect((await guess('10.1.1.1')).statusCode).toBe(401)
})

test('a key makes links for its own company', async () => {
  const [ours, theirs] = [await newCompany(), await newCompany()]

  const { id } = (await ours.post(LINKS, MINIMAL_LINK)).json()

  expect((await ours.get(LINKS)).json().data).toMatchObject([{ id }])
  expect((await theirs.get(LINKS)).json().data).toEqual([])
})
