// Whose an Idempotency-Key is.
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { idempotencyKeys } from '../../src/database/tables.ts'
import {
  ENDPOINT_BODY,
  ENDPOINTS_PATH,
  isReplay,
  LINKS_PATH,
  openIdempotentRequests,
} from '../support/idempotent-requests.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { send } = openIdempotentRequests(testApp)

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

test('one of before it was known whose it is, is repeated for any API key of its company', async () => {
  const company = await newCompany()
  const { key: apiKey } = await issueApiKey(db, company.id, 'Outra')
  const { id } = (await send(company, LINKS_PATH, MINIMAL_LINK, 'k')).json()
  await db.update(idempotencyKeys).set({ apiKeyId: null })

  const again = await send(company, LINKS_PATH, MINIMAL_LINK, 'k', { apiKey })

  expect([isReplay(again), again.json().id]).toEqual([true, id])
})
