// A key that is limited to networks is refused from anywhere else.
import { expect, test } from 'vitest'
import {
  findApiKey,
  issueApiKey,
  listApiKeys,
  restrictApiKey,
  rollApiKey,
} from '../../src/api/api-key.ts'
import { eq } from '../../src/database/drizzle.ts'
import { apiKeys, failedCalls } from '../../src/database/tables.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, needs, clock, newCompany, anotherProcess } = testApp

const PATH = '/api/payment-links'
const OFFICE = ['203.0.113.0/24', '2001:db8::/48']

/** From this address; `via` is what a proxy says. */
function ask(key: string, remoteAddress: string, { process = app, via = '' } = {}) {
  const forwarded = via ? { 'x-forwarded-for': via } : {}
  const headers = { authorization: `Bearer ${key}`, ...forwarded }
  return process.inject({ url: PATH, headers, remoteAddress })
}

async function newLimitedKey(networks: string[] | null = OFFICE) {
  const company = await newCompany()
  return { company, ...(await issueApiKey(db, company.id, 'Loja', null, networks)) }
}

test('a request is answered from its networks and refused from any other', async () => {
  const { key, id, company } = await newLimitedKey()

  const inside = [await ask(key, '203.0.113.9'), await ask(key, '2001:db8::7')]
  const outside = [await ask(key, '203.0.114.1'), await ask(key, '2001:db9::7')]

  expect(inside.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(outside.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  expect(outside[0]!.json()).toMatchObject({
    ...{ status: 'error', code: 'ip_not_allowed' },
    message: expect.stringContaining('Esta chave não aceita chamadas deste endereço IP.'),
  })
  const refusal = { apiKeyId: id, status: 403, code: 'ip_not_allowed' }
  // What failed is written behind the answers.
  await expect
    .poll(() => db.select().from(failedCalls).where(eq(failedCalls.companyId, company.id)))
    .toMatchObject([refusal, refusal])
})

test('the address is the one that is believed: of a stranger its own, of a proxy what it says', async () => {
  const { key } = await newLimitedKey()
  const behindProxy = await anotherProcess({ trustProxy: '10.0.0.1' })
  const at = { process: behindProxy }

  const answers = [
    await ask(key, '198.51.100.1', { via: '203.0.113.9' }),
    await ask(key, '198.51.100.1', { ...at, via: '203.0.113.9' }),
    await ask(key, '10.0.0.1', { ...at, via: '203.0.113.9' }),
    await ask(key, '10.0.0.1', { ...at, via: '198.51.100.1' }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 200, 403])
})

test('what is refused is not told as its use, and takes nothing of its limit', async () => {
  const { key, id, company } = await newLimitedKey()

  await ask(key, '192.0.2.77')
  for (let i = 1; i < 100; i++) {
    await needs.limiter.countHit('bad-key:192.0.2.77', { max: 100, windowMs: 60_000 })
  }
  const tooMany = await ask(key, '192.0.2.78')
  const same = await ask(key, '192.0.2.77')
  // Before its owner's use, which is written when it may.
  const { lastUsedAt } = (await findApiKey(db, company.id, id))!
  const owner = await ask(key, '203.0.113.9')

  expect([tooMany.statusCode, same.statusCode]).toEqual([403, 429])
  expect(owner.statusCode).toBe(200)
  expect(owner.headers['ratelimit-remaining']).toBe('99')
  expect(lastUsedAt).toBeNull()
})

test('a rolled key hands its networks on', async () => {
  const { id, company } = await newLimitedKey()
  const now = clock.now()

  await rollApiKey(db, { companyId: company.id, id, until: now, now })

  const heir = (await listApiKeys(db, company.id)).at(-1)
  expect(heir).toMatchObject({ name: 'Loja', allowedNetworks: OFFICE, expiresAt: null })
})

test('no key is limited that is another company’s or over', async () => {
  const { id } = await newLimitedKey(null)
  const stranger = await newCompany()

  const theirs = await restrictApiKey(db, {
    ...{ id, companyId: stranger.id, allowedNetworks: OFFICE },
  })
  await db.update(apiKeys).set({ revokedAt: clock.now().toISOString() }).where(eq(apiKeys.id, id))
  const over = await restrictApiKey(db, { id, allowedNetworks: OFFICE })

  expect([theirs.kind, over.kind]).toEqual(['notActive', 'notActive'])
  expect(await findApiKey(db, undefined, id)).toMatchObject({ allowedNetworks: null })
})

test('the database holds no empty list, and none of more than twenty', async () => {
  const { id } = await newLimitedKey(null)
  const networks = Array.from({ length: 21 }, (_, i) => `203.0.113.${i}/32`)
  const set = (allowedNetworks: string[]) => restrictApiKey(db, { id, allowedNetworks })

  await expect(set([])).rejects.toThrow()
  await expect(set(networks)).rejects.toThrow()
  expect(await set(networks.slice(1))).toEqual({ kind: 'restricted' })
})
