// Who holds a delivery, for how long, and who may write about it.
import { afterEach, expect, test } from 'vitest'
import { DELIVERY_CLAIM_LOCK } from '../../../src/database/locks.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { LEASE_MS, releaseClaim } from '../../../src/queue/lease.ts'
import { claimDeliveries, DELIVERY_QUEUE } from '../../../src/webhooks/deliveries/claim.ts'
import { recordDeliveryAttempt } from '../../../src/webhooks/deliveries/record.ts'
import { findEndpoint, updateEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { rotateSecret } from '../../../src/webhooks/endpoints/secret.ts'
import { openWebhooks } from '../../support/receiver.ts'

const { db, cipher, newCompany, addReceiver, approvedFor, emit } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const HOOK = 'https://loja.example/hook'
const OK = { outcome: 'delivered', statusCode: 204, answer: '', retryAfter: null } as const
const MADE = { ...OK, startedAt: NOW, endedAt: NOW }

const WAITING_SQL = `from pg_locks join pg_database on pg_database.oid = database
  where locktype = 'advisory' and not granted and datname = current_database()`

const later = (ms: number) => new Date(NOW.getTime() + ms)

// No test claims what another one leaves due.
afterEach(async () => {
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
})

test('a worker that comes back after its lease changes nothing', async () => {
  const { read } = await approvedFor(HOOK, NOW)
  const [stale] = await claimDeliveries(db, NOW, 10)
  const [fresh] = await claimDeliveries(db, later(LEASE_MS), 10)

  expect(await recordDeliveryAttempt(db, stale!, MADE)).toEqual({ kind: 'leaseLost' })
  await releaseClaim(db, DELIVERY_QUEUE, stale!, NOW)
  expect(await read()).toMatchObject({ status: 'pending', attempts: 2, attemptLog: [] })
  expect(await recordDeliveryAttempt(db, fresh!, MADE)).toEqual({
    kind: 'recorded',
    status: 'delivered',
  })
  expect(
    await recordDeliveryAttempt(db, fresh!, { ...MADE, outcome: 'gone', statusCode: 410 }),
  ).toEqual({ kind: 'leaseLost' })

  const delivery = await read()
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 2 })
  expect(delivery.attemptLog).toMatchObject([{ number: 2, outcome: 'delivered' }])
})

test('an address that is gone disables no endpoint that has another by then', async () => {
  const { companyId, endpointId, read } = await approvedFor(HOOK, NOW)
  const [claimed] = await claimDeliveries(db, NOW, 10)
  const change = { companyId, cipher, allowPrivate: true, now: NOW }
  const before = await findEndpoint(db, companyId, endpointId)
  await updateEndpoint(db, before, { url: `${HOOK}/novo` }, change)

  await recordDeliveryAttempt(db, claimed!, { ...MADE, outcome: 'gone', statusCode: 410 })

  expect(await findEndpoint(db, companyId, endpointId)).toMatchObject({ disabledAt: null })
  expect(await read()).toMatchObject({ status: 'failed', outcome: 'gone' })
})

test('at most five of one endpoint are in progress over all processes, and the oldest go first', async () => {
  const companyId = await newCompany()
  await addReceiver(companyId, HOOK)
  const emitted: string[] = []
  for (let i = 0; i < 8; i++) emitted.push((await emit(companyId, later(i))).eventId)
  const other = await approvedFor(HOOK, NOW)

  const claims = await Promise.all([1, 2, 3, 4].map(() => claimDeliveries(db, later(100), 10)))

  const claimed = claims.flat()
  const ofSlow = claimed.filter(({ endpointId }) => endpointId !== other.endpointId)
  expect(claimed).toHaveLength(6)
  expect(new Set(ofSlow.map(({ eventId }) => eventId))).toEqual(new Set(emitted.slice(0, 5)))
  expect(await recordDeliveryAttempt(db, ofSlow[0]!, MADE)).toEqual({
    kind: 'recorded',
    status: 'delivered',
  })
  expect(await claimDeliveries(db, later(100), 10)).toMatchObject([{ eventId: emitted[5] }])
})

test('a claim waits for the one before it, and counts what that one took', async () => {
  const { companyId, endpointId } = await approvedFor(HOOK, NOW)
  for (let i = 0; i < 7; i++) await emit(companyId, NOW)
  const other = await db.$client.connect()
  await other.query('begin')
  await other.query('select pg_advisory_xact_lock($1)', [DELIVERY_CLAIM_LOCK])
  await other.query(
    `update webhook_deliveries set due_at = $1, leased_until = $1, attempts = 1
     where id in (select id from webhook_deliveries where endpoint_id = $2 order by id limit 5)`,
    [later(LEASE_MS), endpointId],
  )

  const claimed = claimDeliveries(db, NOW, 10)
  await expect.poll(waitingForTurn).toBe(1)
  await other.query('commit')
  other.release()

  expect(await claimed).toEqual([])
})

test('where nothing is due a claim is one statement, which waits for no other claim', async () => {
  const { id } = await approvedFor(HOOK, later(1))
  const other = await db.$client.connect()
  await other.query('begin')
  await other.query('select pg_advisory_xact_lock($1)', [DELIVERY_CLAIM_LOCK])

  const claimed = await claimDeliveries(db, NOW, 10)
  await other.query('commit')
  other.release()

  expect(claimed).toEqual([])
  expect(await claimDeliveries(db, later(1), 10)).toMatchObject([{ id }])
})

test('the secret before a rotation signs until its overlap is over', async () => {
  const { companyId, endpointId } = await approvedFor(HOOK, NOW)
  const overlapMs = 24 * 3_600_000
  await rotateSecret(db, cipher, { companyId, id: endpointId, now: NOW })

  const [during] = await claimDeliveries(db, later(overlapMs - 1), 1)
  await releaseClaim(db, DELIVERY_QUEUE, during!, NOW)
  const [after] = await claimDeliveries(db, later(overlapMs), 1)

  expect(during!.previousSecret).not.toBeNull()
  expect(after!.previousSecret).toBeNull()
})

async function waitingForTurn() {
  const { rowCount } = await db.$client.query(`select ${WAITING_SQL}`)
  return rowCount
}
