import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { listEndpoints, MAX_ENDPOINTS } from '../../../src/webhooks/endpoints/endpoint.ts'
import { decryptPreviousSecrets, rotateSecret } from '../../../src/webhooks/endpoints/secret.ts'
import { openWebhooks } from '../../support/receiver.ts'

const { db, cipher, newCompany, addReceiver, companyWith } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const HOOK = 'https://loja.example/hook'

test('a company lists its own endpoints, the oldest first', async () => {
  const companyId = await newCompany()
  const first = await addReceiver(companyId, HOOK)
  const second = await addReceiver(companyId, HOOK, {
    events: ['transaction.refunded', 'transaction.refunded'],
  })
  await companyWith(HOOK)

  const endpoints = await listEndpoints(db, companyId)

  expect(endpoints).toMatchObject([
    { id: first.id, url: HOOK, events: ['transaction.approved'], disabledAt: null },
    { id: second.id, url: HOOK, events: ['transaction.refunded'], rotatingUntil: null },
  ])
})

test('a company has at most ten endpoints, also when they are added at the same time', async () => {
  const companyId = await newCompany()

  const added = await Promise.allSettled(
    Array.from({ length: MAX_ENDPOINTS + 2 }, () => addReceiver(companyId, HOOK)),
  )

  const refused = added.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(2)
  const reason = { statusCode: 409, code: 'too_many_endpoints' }
  expect(refused).toMatchObject([{ reason }, { reason }])
  expect(await listEndpoints(db, companyId)).toHaveLength(MAX_ENDPOINTS)
})

test('of two rotations in the same millisecond both secrets sign, and the one before them', async () => {
  const { companyId, endpointId, secret } = await companyWith(HOOK)
  const rotation = { companyId, id: endpointId, now: NOW }

  const [first, last] = [
    await rotateSecret(db, cipher, rotation),
    await rotateSecret(db, cipher, rotation),
  ]

  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId))
  expect(cipher.decrypt(row!.secret, 'webhook_endpoints.secret', endpointId)).toBe(last)
  expect(decryptPreviousSecrets(cipher, endpointId, row!.previousSecret!)).toEqual([secret, first])
})
