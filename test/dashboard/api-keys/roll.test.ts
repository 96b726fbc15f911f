// An API key is exchanged at the dashboard for a new one, which takes over in a chosen time.
import { expect, test } from 'vitest'
import { listApiKeys } from '../../../src/api/api-key.ts'
import { fieldIn, openHookDesk, wordsIn } from '../../support/hook-desk.ts'
import { openHouse } from '../../support/house.ts'
import { errorsIn } from '../../support/link-desk.ts'

const house = await openHouse()
const { app, db, clock } = house
const { openDesk, actionsOf } = openHookDesk(house)

const KEYS = '/painel/chaves'
const HOUR_MS = 3_600_000

async function ask(key: string) {
  const headers = { authorization: `Bearer ${key}` }
  const { statusCode } = await app.inject({ url: '/api/payment-links', headers })
  return statusCode
}

test('a key is exchanged: the new one is shown once, the old one works as long as was chosen', async () => {
  const { company, desk } = await openDesk()
  const path = `${KEYS}/${company.keyId}/trocar`

  const asked = await desk.get(path)
  const done = await desk.post(path, { hours: '24' })
  const again = await desk.post(path, { hours: '168' })
  const page = await desk.get(again.headers.location!)

  expect(asked.body).toMatch(/value="24" selected/)
  const key = fieldIn(done.body, 'key')!
  expect([await ask(key), await ask(company.key)]).toEqual([200, 200])
  expect(wordsIn(done.body)).toMatch(/A chave antiga .* continua funcionando .*: vale até \d\d\//)
  expect(page.body).toContain('Esta chave já foi trocada.')
  const [old, heir, ...more] = await listApiKeys(db, company.id)
  const left = Date.parse(old!.expiresAt!) - clock.now().getTime()
  expect(Math.abs(left - 24 * HOUR_MS)).toBeLessThan(60_000)
  expect(heir).toMatchObject({ name: 'Testes', scopes: null, expiresAt: null })
  expect(more).toEqual([])
  expect(await actionsOf(company.id)).toEqual([['key_rolled', 'Testes']])
})

test('the old key may end at once', async () => {
  const { company, desk } = await openDesk()

  const { body } = await desk.post(`${KEYS}/${company.keyId}/trocar`, { hours: '0' })

  expect(wordsIn(body)).toContain('já não funciona')
  await expect.poll(() => ask(company.key)).toBe(401)
  expect(await ask(fieldIn(body, 'key')!)).toBe(200)
})

test.each(['', '2', '1000', 'toString'])('"%s" is no time for an old key', async (hours) => {
  const { company, desk } = await openDesk()

  const { statusCode, body } = await desk.post(`${KEYS}/${company.keyId}/trocar`, { hours })

  expect(statusCode).toBe(422)
  expect(errorsIn(body)).toEqual([['hours', 'Escolha até quando a chave antiga vale.']])
  expect(await listApiKeys(db, company.id)).toHaveLength(1)
})

test('a revoked key is not exchanged', async () => {
  const { company, desk } = await openDesk()
  await desk.post(`${KEYS}/${company.keyId}/revogar`)
  const path = `${KEYS}/${company.keyId}/trocar`

  const answers = [await desk.get(path), await desk.post(path, { hours: '1' })]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409])
  expect(await listApiKeys(db, company.id)).toHaveLength(1)
})
