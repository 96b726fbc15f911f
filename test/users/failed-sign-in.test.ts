// What Registro keeps of sign-ins that failed.
import { expect, test } from 'vitest'
import { listAudit } from '../../src/companies/audit.ts'
import { recordFailedSignIn } from '../../src/users/sign-in.ts'
import { openUsers } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newPerson } = openUsers(testApp)

const AT = new Date('2026-11-22T10:59:59.999Z')

test('an hour of guesses is one entry, which counts them and names their networks', async () => {
  const { id: userId, email, companyId } = await newPerson()
  const networks = Array.from({ length: 40 }, (_, i) => `198.51.100.${i % 20}`)

  await Promise.all(networks.map((network) => recordFailedSignIn(db, { userId, network, now: AT })))
  await recordFailedSignIn(db, { userId, network: '203.0.113.9', now: new Date(AT.getTime() + 1) })

  const entries = await listAudit(db, companyId, { limit: 10 })
  expect(entries).toMatchObject([
    {
      ...{ action: 'sign_in_failed', subject: email, createdAt: '2026-11-22T11:00:00.000Z' },
      ...{ details: { tries: '1', networks: '203.0.113.9' }, address: '203.0.113.9' },
    },
    { subjectId: userId, details: { tries: '40' }, createdAt: '2026-11-22T10:00:00.000Z' },
  ])
  const named = entries[1]!.details.networks!.split(', ')
  expect(named.length).toBeGreaterThan(5)
  expect(new Set(named).size).toBe(named.length)
  expect(entries[1]!.details.networks!.length).toBeLessThan(260)
})

test('a network is named beside one with a longer name that begins alike', async () => {
  const { id: userId, companyId } = await newPerson()

  for (const network of ['203.0.113.10', '203.0.113.1', '203.0.113.10'])
    await recordFailedSignIn(db, { userId, network, now: AT })

  const [entry] = await listAudit(db, companyId, { limit: 10 })
  expect(entry?.details).toEqual({ tries: '3', networks: '203.0.113.10, 203.0.113.1' })
})

test('of an unknown user nothing is kept', async () => {
  const { companyId } = await newPerson()

  await recordFailedSignIn(db, {
    userId: '0199c3a2-7b1e-7c00-8000-5f6a7b8c9d0e',
    network: '203.0.113.9',
    now: AT,
  })

  expect(await listAudit(db, companyId, { limit: 10 })).toEqual([])
})
