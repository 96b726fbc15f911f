// The program is killed where it hurts most: after the bank has approved a payment, after we have and
// nobody was told, and anywhere at all.
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { buildTestCard, PIX } from '../support/payer.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { openServices } from '../support/processes/service.ts'
import {
  awaitQuiet,
  createTestMerchant,
  expectConsistent,
  fillCheckoutForm,
  makeAllDue,
  postForm,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'
import { openReceiver } from '../support/receiver.ts'

const { db, url } = await openDatabase()
const SOON = { timeout: 10_000 }
const { start, killAll } = openServices(url, TRUSTING_ENVIRONMENT)

afterEach(async () => {
  await killAll()
  await db.$client.query('truncate sandbox_charges, companies cascade')
})

async function readRows(text: string) {
  return (await db.$client.query(text)).rows
}

/** Keeps settle from telling of an approval, and so from committing it. */
async function holdEvents() {
  const holder = await db.$client.connect()
  await holder.query('begin; lock table events in exclusive mode')
  return async function release() {
    await holder.query('rollback')
    holder.release()
  }
}

async function somebodyWaits() {
  const waiting = await readRows(
    `select 1 from pg_locks where relation = 'events'::regclass and not granted`,
  )
  return waiting.length
}

test('killed between the bank’s approval and our commit, the payment is approved once and told once', async () => {
  const receiver = await openReceiver()
  const first = await start()
  const testMerchant = await createTestMerchant(db, first.baseUrl, { receiverUrl: receiver.url })
  const submit = await fillCheckoutForm(first.baseUrl, testMerchant.slug, buildTestCard('ok'))
  const release = await holdEvents()
  const cutOff = submit().catch(() => 'no answer')
  await expect.poll(somebodyWaits, SOON).toBe(1)
  expect(await readRows('select status from sandbox_charges')).toEqual([{ status: 'approved' }])

  await first.end('SIGKILL')
  await release()
  expect(await cutOff).toBe('no answer')
  const between = await readRows('select status, approved_at from transactions')
  await makeAllDue(db)
  const second = await start()
  await expect.poll(() => receiver.hits.length, SOON).toBe(1)

  expect(between).toEqual([{ status: 'processing', approved_at: null }])
  await awaitQuiet(db)
  const again = await submit(second.baseUrl)
  expect(again.status).toBe(303)
  const [hit] = receiver.hits
  const message = new Webhook(testMerchant.secret).verify(
    hit!.body,
    hit!.headers as Record<string, string>,
  )
  expect(message).toMatchObject({
    type: 'transaction.approved',
    data: { transaction: { status: 'approved', totalCents: 10_000 } },
  })
  expect(await expectConsistent(db, receiver.hits)).toBe(1)
  expect(receiver.hits).toHaveLength(1)
})

test('killed between our commit and the delivery, the webhook arrives after all, as the same event', async () => {
  let hanging = true
  const receiver = await openReceiver((_request, response) => {
    if (!hanging) response.writeHead(204).end()
  })
  const first = await start()
  const testMerchant = await createTestMerchant(db, first.baseUrl, { receiverUrl: receiver.url })
  const submit = await fillCheckoutForm(first.baseUrl, testMerchant.slug, buildTestCard('ok'))
  expect((await submit()).status).toBe(303)
  await expect.poll(() => receiver.hits.length, SOON).toBe(1)

  await first.end('SIGKILL')
  hanging = false
  const held = await readRows('select status, attempts from webhook_deliveries')
  await makeAllDue(db)
  await start()
  await expect.poll(() => receiver.hits.length, SOON).toBe(2)

  expect(held).toEqual([{ status: 'pending', attempts: 1 }])
  await awaitQuiet(db)
  expect(await expectConsistent(db, receiver.hits)).toBe(1)
  const [one, other] = receiver.hits
  expect(other!.headers['webhook-id']).toBe(one!.headers['webhook-id'])
  expect(other!.body).toBe(one!.body)
})

/** At night more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5)
const PAYERS = 12
const LIVES_MS = 300

test('killed again and again while many pay, nobody is charged twice and every payment is told', async () => {
  const receiver = await openReceiver()
  const { baseUrl } = await start()
  const { slug } = await createTestMerchant(db, baseUrl, { receiverUrl: receiver.url })
  const unanswered = new Set<(to: string) => Promise<Response>>()
  let payers = 0

  for (let round = 0; round < ROUNDS; round++) {
    const pair = await Promise.all([start(), start()])
    const paid = Promise.withResolvers<void>()
    let over = false
    const paying = Array.from({ length: PAYERS }, async (_, i) => {
      while (!over) await payOnce(pair[i % 2]!.baseUrl).then(paid.resolve, () => sleep(5))
    })
    await paid.promise
    await Promise.all(
      pair.map((service) => sleep(Math.random() * LIVES_MS).then(() => service.end('SIGKILL'))),
    )
    over = true
    await Promise.all(paying)
  }

  await makeAllDue(db)
  const last = await start()
  for (const submit of unanswered) expect((await submit(last.baseUrl)).status).toBe(303)
  await awaitQuiet(db)
  const approved = await expectConsistent(db, receiver.hits)
  expect(approved).toBeGreaterThan(ROUNDS)
  const twice = `select payer_name from transactions where status = 'approved'
    group by payer_name having count(*) > 1`
  expect(await readRows(twice)).toEqual([])

  /** Of three who get no answer two send the form again, to whoever is there; one gives up. */
  async function payOnce(at: string) {
    const submit = takeUnanswered() ?? (await fillInAs(`Pagador ${++payers}`, at))
    if (payers % 3) unanswered.add(submit)
    const answer = await submit(at)
    if (answer.status !== 303) throw new Error(`The answer was ${answer.status}`)
    unanswered.delete(submit)
    await postForm(`${at}${answer.headers.get('location')}/simulate`)
  }

  function fillInAs(name: string, at: string) {
    return fillCheckoutForm(at, slug, { name, ...(payers % 4 ? buildTestCard('ok') : PIX) })
  }

  function takeUnanswered() {
    const [submit] = unanswered
    if (submit) unanswered.delete(submit)
    return submit
  }
})
