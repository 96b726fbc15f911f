// A key that is rolled: a new one takes its place while the old one works until a time.
import { expect, test } from 'vitest'
import {
  createActiveKeyFinder,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
  rollApiKey,
} from '../../src/api/api-key.ts'
import { openTestApp } from '../support/test-app.ts'

const { app, db, clock, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

const later = (ms: number) => new Date(clock.now().getTime() + ms)

async function ask(key: string) {
  const response = await app.inject({ url: LINKS, headers: { authorization: `Bearer ${key}` } })
  return response.statusCode
}

test('a new key of the same name and scopes takes over, and the old one works until its time', async () => {
  const { id: companyId } = await newCompany()
  const old = await issueApiKey(db, companyId, 'Loja virtual', ['payment-links'])
  const until = later(DAY_MS)

  const rolled = await rollApiKey(db, { companyId, id: old.id, until, now: clock.now() })

  expect(rolled).toMatchObject({ name: 'Loja virtual', scopes: ['payment-links'] })
  expect(rolled.key).toMatch(/^sk_live_\w{38}$/)
  expect([await ask(old.key), await ask(rolled.key)]).toEqual([200, 200])
  expect((await listApiKeys(db, companyId)).slice(1)).toMatchObject([
    { id: old.id, name: 'Loja virtual', expiresAt: until.toISOString(), revokedAt: null },
    { id: rolled.id, name: 'Loja virtual', scopes: ['payment-links'], expiresAt: null },
  ])
})

test('at its time, to the millisecond, the old key is over', async () => {
  const { id: companyId, key, keyId: id } = await newCompany()
  const now = clock.now()
  const until = new Date(now.getTime() + HOUR_MS)
  const rolled = await rollApiKey(db, { companyId, id, until, now })
  const findAt = (ms: number, secret = key) =>
    createActiveKeyFinder(db, () => new Date(now.getTime() + ms))(secret)

  expect([await findAt(0), await findAt(HOUR_MS - 1)]).toMatchObject([{ id }, { id }])
  expect(await findAt(HOUR_MS)).toBeUndefined()
  expect(await findAt(HOUR_MS, rolled.key)).toMatchObject({ id: rolled.id })
})

test('a key that is rolled without an overlap is refused at its next request', async () => {
  const { id: companyId, key, keyId: id } = await newCompany()
  expect(await ask(key)).toBe(200)

  const now = clock.now()
  await rollApiKey(db, { companyId, id, until: now, now })

  expect(await ask(key)).toBe(401)
})

test('of many who roll a key at once one does', async () => {
  const { id: companyId, keyId: id } = await newCompany()
  const roll = { companyId, id, until: later(HOUR_MS), now: clock.now() }

  const results = await Promise.allSettled(Array.from({ length: 5 }, () => rollApiKey(db, roll)))

  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(4).fill('not_rollable'))
  expect(await listApiKeys(db, companyId)).toHaveLength(2)
})

test('a revoked key is not rolled, and a rolled one can be revoked before its time', async () => {
  const { id: companyId, key, keyId: id } = await newCompany()
  const roll = { companyId, until: later(HOUR_MS), now: clock.now() }
  const { id: heir } = await rollApiKey(db, { ...roll, id })

  expect(await revokeApiKey(db, id, clock.now(), companyId)).toEqual({ kind: 'revoked' })

  expect(await ask(key)).toBe(401)
  await revokeApiKey(db, heir, clock.now(), companyId)
  const again = rollApiKey(db, { ...roll, id: heir })
  await expect(again).rejects.toMatchObject({ statusCode: 409, code: 'not_rollable' })
})

test('the old key works for seven days at most', async () => {
  const { id: companyId, keyId: id } = await newCompany()
  const now = clock.now()
  const roll = (ms: number) =>
    rollApiKey(db, { companyId, id, until: new Date(now.getTime() + ms), now })

  await expect(roll(7 * DAY_MS + 1)).rejects.toMatchObject({
    statusCode: 422,
    errors: [{ field: 'until', message: 'A chave antiga pode valer por no máximo 7 dias.' }],
  })

  expect(await listApiKeys(db, companyId)).toHaveLength(1)
  await roll(7 * DAY_MS)
})
