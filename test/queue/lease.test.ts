// Who holds a claim, until exactly when, and who may write about it: the same for every table that is a queue.
import { beforeEach, expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { mails, webhookEndpoints } from '../../src/database/tables.ts'
import { claimMails, MAIL_QUEUE, recordMailFailure, recordMailSent } from '../../src/mail/claim.ts'
import { LEASE_MS, releaseClaim } from '../../src/queue/lease.ts'
import { claimDeliveries, DELIVERY_QUEUE } from '../../src/webhooks/deliveries/claim.ts'
import { openWebhooks } from '../support/receiver.ts'

const { db, approvedFor, deliveriesOf } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

// No test claims what another one leaves due.
beforeEach(async () => {
  await db.delete(mails)
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
})

async function queuedMail() {
  const id = newId()
  await db.insert(mails).values({
    id,
    template: 'password-reset',
    recipient: 'ana@example.com',
    data: {},
    dueAt: NOW.toISOString(),
    createdAt: NOW.toISOString(),
  })
  return { id, read: async () => (await db.select().from(mails).where(eq(mails.id, id)))[0]! }
}

async function queuedDelivery() {
  const { id, eventId } = await approvedFor('https://loja.example/hook', NOW)
  return { id, read: async () => (await deliveriesOf(eventId))[0]! }
}

const QUEUES = [
  { what: 'a mail', queue: MAIL_QUEUE, claimDue: claimMails, add: queuedMail },
  { what: 'a delivery', queue: DELIVERY_QUEUE, claimDue: claimDeliveries, add: queuedDelivery },
]

test.each(QUEUES)('$what is due at its very instant, and not before', async ({ claimDue, add }) => {
  const { id } = await add()

  expect(await claimDue(db, later(-1), 1)).toEqual([])
  expect(await claimDue(db, NOW, 1)).toMatchObject([{ id, attempt: 1 }])
})

test.each(QUEUES)(
  '$what is free when its lease ends, and not before',
  async ({ claimDue, add }) => {
    const { id } = await add()
    await claimDue(db, NOW, 1)

    const held = await claimDue(db, later(LEASE_MS - 1), 1)
    const free = await claimDue(db, later(LEASE_MS), 1)

    expect(held).toEqual([])
    expect(free).toMatchObject([{ id, attempt: 2 }])
  },
)

test.each(QUEUES)(
  '$what that is released is due at once, its attempt not counted',
  async ({ queue, claimDue, add }) => {
    const { id, read } = await add()
    const [claimed] = await claimDue(db, NOW, 1)

    await releaseClaim(db, queue, claimed!, later(1))

    expect(await read()).toMatchObject({ attempts: 0, dueAt: later(1).toISOString() })
    expect(await claimDue(db, later(1), 1)).toMatchObject([{ id, attempt: 1 }])
  },
)

test.each(QUEUES)(
  'a worker that lost $what does not release it',
  async ({ queue, claimDue, add }) => {
    const { read } = await add()
    const [stale] = await claimDue(db, NOW, 1)
    await claimDue(db, later(LEASE_MS), 1)
    const before = await read()

    await releaseClaim(db, queue, stale!, later(LEASE_MS))
    await releaseClaim(db, queue, { id: newId(), attempt: 2 }, later(LEASE_MS))

    expect(await read()).toEqual(before)
  },
)

test('a worker that lost a mail does not record what became of it', async () => {
  const { read } = await queuedMail()
  const [stale] = await claimMails(db, NOW, 1)
  const [fresh] = await claimMails(db, later(LEASE_MS), 1)
  const before = await read()

  await recordMailSent(db, stale!, later(LEASE_MS))
  await recordMailFailure(db, stale!, { reason: 'late', kind: 'rejected', now: later(LEASE_MS) })
  expect(await read()).toEqual(before)
  await recordMailSent(db, fresh!, later(LEASE_MS))
  const sent = await read()
  await recordMailFailure(db, fresh!, { reason: 'late', kind: 'rejected', now: later(LEASE_MS) })

  expect(sent).toMatchObject({ sentAt: later(LEASE_MS).toISOString(), dueAt: null })
  expect(await read()).toEqual(sent)
})
