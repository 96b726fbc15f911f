// A notification of a provider is a hint that is asked about, also when it is repeated, forged or of another charge.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { and, eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { mails, providerAccounts, transactionSteps } from '../../../src/database/tables.ts'
import { createNotificationReader } from '../../../src/transactions/reconciliation/notification.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { buildTxid, parseTxid } from '../../../src/transactions/txid.ts'
import { openCheckout } from '../../support/payer.ts'
import { openAccountsAtBank } from '../../support/providers/accounts.ts'
import { openTestApp } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { app, clock, db, logged, needs } = testApp
const { read, listEventTypes } = openCheckout(testApp)
const { bank, newCollectingCompany, openPendingPix } = openAccountsAtBank(testApp)
const { find } = bank.provider

beforeEach(() => {
  // Nothing that another test has left is due in this one.
  bank.asked.length = 0
})

afterEach(async () => {
  clock.offsetMs = 0
  bank.bankState.failing = undefined
  bank.provider.find = find
  needs.providers.standIns['pix-api'] = bank.provider
  await db.$client.query('update transactions set check_at = null')
})

function notify(url: string, payload: object, headers: object = {}) {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  })
}

async function stepsOf(transactionId: string) {
  const steps = await db
    .select()
    .from(transactionSteps)
    .where(eq(transactionSteps.transactionId, transactionId))
    .orderBy(transactionSteps.id)
  return steps.map(({ kind, details }) => ({ kind, ...details }))
}

test.each(['', '/pix'])('a Pix that the bank notifies at …%s is approved', async (suffix) => {
  const { url, row, link } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })

  const response = await notify(url + suffix, { txids: [row.pixTxid] })

  expect(response.statusCode).toBe(200)
  expect(await read(row.id)).toMatchObject({
    status: 'approved',
    pixEndToEndId: `E${row.pixTxid}`,
    testMode: true,
  })
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
  expect(await stepsOf(row.id)).toEqual([
    { kind: 'notified', provider: 'pix-api' },
    { kind: 'settled', status: 'approved', source: 'notification' },
  ])
})

test('a bank knows a charge by a txid of 26 to 35 characters, which holds the whole id', () => {
  const id = newId()
  const txid = buildTxid(id, 'pix-api')

  expect(txid).toMatch(/^[A-Za-z0-9]{26,35}$/)
  expect(parseTxid(txid.toUpperCase())).toBe(id)
})

test('a notification that comes twenty times at once costs a call or two and changes once', async () => {
  const { url, row, link } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => notify(url, { txids: [row.pixTxid, row.pixTxid] })),
  )
  clock.offsetMs = 3_000
  await reconcileDuePayments(needs)

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(bank.asked.length).toBeLessThanOrEqual(3)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
  const notified = (await stepsOf(row.id)).filter(({ kind }) => kind === 'notified')
  expect(notified).toHaveLength(1)
})

test('what is notified while we are asking is asked about again two seconds later', async () => {
  const { url, row } = await openPendingPix()

  await notify(url, { txids: [row.pixTxid] })
  bank.charges.set(row.id, { paidCents: 10_000 })
  await notify(url, { txids: [row.pixTxid] })
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
  clock.offsetMs = 2_100
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('a notification of nothing that has happened changes nothing', async () => {
  const { url, row, link } = await openPendingPix()

  const response = await notify(url, { txids: [row.pixTxid] })

  expect(response.statusCode).toBe(200)
  expect(await read(row.id)).toMatchObject({ status: 'pending', updatedAt: row.updatedAt })
  expect(await listEventTypes(link)).toEqual([])
})

test('a charge of another company changes nothing here', async () => {
  const [mine, stranger] = [await openPendingPix(), await openPendingPix()]
  bank.charges.set(stranger.row.id, { paidCents: 10_000 })

  const response = await notify(mine.url, { txids: [stranger.row.pixTxid, 'PL-none', '\0'] })

  expect(response.statusCode).toBe(200)
  expect(bank.asked).toEqual([])
  expect(await read(stranger.row.id)).toMatchObject({ status: 'pending' })
  expect(logged.join()).toContain('notified of other charges')
})

test('a forged notification is refused, and nothing is asked', async () => {
  const { url, row } = await openPendingPix()

  const response = await notify(url, { forged: true, txids: [row.pixTxid] })

  expect(response.statusCode).toBe(401)
  expect(response.json()).toEqual({ status: 'error', message: 'Notificação não reconhecida.' })
  expect(bank.asked).toEqual([])
  expect(logged.join()).toContain('a notification was refused as forged')
})

test('what a forged notification names is asked about soon all the same, and only so often', async () => {
  const { url, row } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })
  const forge = () => notify(url, { forged: true, txids: [row.pixTxid] })

  await forge()
  clock.offsetMs = 3_000
  await reconcileDuePayments(needs)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })

  bank.asked.length = 0
  for (let i = 0; i < 30; i++) {
    await forge()
    clock.offsetMs += 100
    await reconcileDuePayments(needs)
  }
  expect(bank.asked.length).toBeLessThanOrEqual(10)
})

test('notifications that are refused one after another are told once, and a good one ends it', async () => {
  const { company, url, row } = await openPendingPix()
  await writeUser(db, { companyId: company.id, email: 'ana@sol.example.com', role: 'owner' })
  const told = () =>
    db
      .select()
      .from(mails)
      .where(and(eq(mails.companyId, company.id), eq(mails.template, 'notifications-refused')))
  const forge = () => notify(url, { forged: true, txids: [row.pixTxid] })

  for (let i = 0; i < 2; i++) await forge()
  expect(await told()).toHaveLength(0)
  for (let i = 0; i < 5; i++) await forge()
  expect(await told()).toHaveLength(1)

  await notify(url, { txids: [row.pixTxid] })
  const [account] = await db
    .select()
    .from(providerAccounts)
    .where(eq(providerAccounts.companyId, company.id))
  expect(account).toMatchObject({ notifiedCount: 1, refusedCount: 0 })
  for (let i = 0; i < 3; i++) await forge()
  expect(await told()).toHaveLength(2)
})

test('an address that is not an account’s does not exist, and neither does that of another provider', async () => {
  const { url } = await newCollectingCompany()
  const token = url.split('/').at(-1)
  const unknown = [
    '/webhooks/pix-api/0123456789012345678901234567890123456789012',
    `/webhooks/mercadopago/${token}`,
    `/webhooks/sandbox/${token}`,
    `${url}/pix/pix`,
  ]

  const answers = await Promise.all(unknown.map((path) => notify(path, { txids: [] })))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
})

test('a bank that only tries the address out is answered', async () => {
  const { url } = await newCollectingCompany()
  const probes = [
    { method: 'GET', url },
    { method: 'HEAD', url },
    { method: 'POST', url },
    { method: 'GET', url: `${url}/pix` },
    { method: 'POST', url: `${url}/pix`, headers: { 'content-type': 'text/xml' } },
  ] as const

  const answers = await Promise.all(probes.map((probe) => app.inject({ ...probe })))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(bank.asked).toEqual([])
})

test('the secret part of the address is in no log', async () => {
  const { url } = await newCollectingCompany()
  await app.inject({ url })

  expect(logged.join()).not.toContain(url.split('/').at(-1))
  expect(logged.join()).toContain(url.slice(0, 22))
})

test('ids that look like the number of a card are let through', async () => {
  const { url, row } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })

  const id = '4111111111111111'
  const response = await notify(`${url}?id=${id}`, { id, txids: [row.pixTxid] })

  expect(response.statusCode).toBe(200)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('a bank that cannot be asked about its own news is asked by the reconciler', async () => {
  const { url, row } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })
  bank.bankState.failing = new Error('503')
  const response = await notify(url, { txids: [row.pixTxid] })
  expect(response.statusCode).toBe(200)
  expect(await read(row.id)).toMatchObject({ status: 'pending' })

  bank.bankState.failing = undefined
  clock.offsetMs = 5_100
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('a slow answer of a bank keeps no notification waiting, and counts when it comes', async () => {
  const { company, row } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })
  const told = Promise.withResolvers<void>()
  bank.provider.find = async (key, now) => {
    await told.promise
    return find(key, now)
  }
  const notified = { companyId: company.id, provider: 'pix-api' } as const

  await createNotificationReader(needs, 20).read(notified, [{ kind: 'txid', txid: row.pixTxid! }])
  expect(await read(row.id)).toMatchObject({ status: 'pending', checkAt: expect.any(String) })
  told.resolve()

  await expect.poll(async () => (await read(row.id)).status).toBe('approved')
})

test('a charge is found by the provider’s own reference too', async () => {
  const { company, row } = await openPendingPix()
  bank.charges.set(row.id, { paidCents: 10_000 })
  const notified = { companyId: company.id, provider: 'pix-api' } as const
  const hints = [row.providerReference!, 'a\0b'].map(
    (reference) => ({ kind: 'reference', reference }) as const,
  )

  await createNotificationReader(needs).read(notified, hints)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})
