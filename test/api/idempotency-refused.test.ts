// What was refused lets go of its Idempotency-Key, unless somebody before may have done what was asked.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  ENDPOINTS_PATH,
  isReplay,
  LINKS_PATH,
  openIdempotentRequests,
  REQUEST_LEASE_MS,
} from '../support/idempotent-requests.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { clock, newCompany } = testApp
const { send, linksOf, keysOf, dieBeforeTheAnswer } = openIdempotentRequests(testApp)

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

test('what may have been done before it was refused is done by nobody else', async () => {
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
