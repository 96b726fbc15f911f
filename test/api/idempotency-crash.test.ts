// What becomes of a repeated request when the first one did not end as it should.
import { expect, onTestFinished, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { webhookEndpoints } from '../../src/database/tables.ts'
import {
  ENDPOINT_BODY,
  ENDPOINTS_PATH,
  isReplay,
  LINKS_PATH,
  openIdempotentRequests,
  REQUEST_LEASE_MS,
} from '../support/idempotent-requests.ts'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, newCompany, stored } = testApp
const { newLink, pay } = openCheckout(testApp)
const { send, linksOf, keysOf, dieBeforeTheAnswer } = openIdempotentRequests(testApp)

test('a failure of ours is not kept: the same request may go better at once', async () => {
  const company = await newCompany()
  await db.$client.query(`
    create function break_links() returns trigger language plpgsql as
      $$ begin raise exception 'broken'; end $$;
    create trigger broken before insert on payment_links
      for each statement execute function break_links()`)
  const broken = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await db.$client.query('drop function break_links cascade')

  const other = await send(company, LINKS_PATH, { ...MINIMAL_LINK, amountCents: 2_000 }, 'k')
  const mended = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')

  expect(broken.statusCode).toBe(500)
  expect(other.json()).toMatchObject({ code: 'idempotency_mismatch' })
  expect([mended.statusCode, isReplay(mended)]).toEqual([201, false])
  expect(await linksOf(company)).toBe(1)
})

test('an answer that cannot be kept leaves all the same, and its request is found done', async () => {
  const company = await newCompany()
  const { cipher } = testApp.needs
  const { encrypt } = cipher
  cipher.encrypt = () => raise('no entropy')

  const answered = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  cipher.encrypt = encrypt
  const early = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  clock.offsetMs += REQUEST_LEASE_MS
  const again = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')

  expect([answered.statusCode, early.statusCode, again.statusCode]).toEqual([201, 409, 201])
  expect(again.json().id).toBe(answered.json().id)
  expect(await linksOf(company)).toBe(1)
})

/** Of all tables together. */
async function countRows(): Promise<number> {
  return JSON.parse(await stored()).length
}

function raise(message: string): never {
  throw new Error(message)
}

const approvedPayment = async (company: TestCompany) => {
  const { row } = await pay(await newLink({}, company), buildTestCard('ok'))
  return row.id
}
const THINGS = {
  link: async () => ({ path: LINKS_PATH, payload: MINIMAL_LINK }),
  customer: async () => ({
    path: '/api/customers',
    payload: { name: 'Maria da Silva', taxId: '52998224725' },
  }),
  refund: async (company: TestCompany) => ({
    path: `/api/transactions/${await approvedPayment(company)}/refunds`,
    payload: { amountCents: 500 },
  }),
  'webhook endpoint': async () => ({ path: ENDPOINTS_PATH, payload: ENDPOINT_BODY }),
  'test event': async (company: TestCompany) => {
    const { id } = (await company.post(ENDPOINTS_PATH, ENDPOINT_BODY)).json()
    return { path: `${ENDPOINTS_PATH}/${id}/test`, payload: { type: 'transaction.approved' } }
  },
}

test.each(Object.entries(THINGS))(
  'a %s is made once, though its process died before it answered',
  async (_, prepare) => {
    const company = await newCompany()
    const { path, payload } = await prepare(company)
    const first = await send(company, path, payload, 'k')
    await dieBeforeTheAnswer(company, 'k')
    const before = await countRows()

    const early = await send(company, path, payload, 'k')
    clock.offsetMs += REQUEST_LEASE_MS
    const again = await send(company, path, payload, 'k')
    const replayed = await send(company, path, payload, 'k')

    const { id: made = first.json().eventId } = first.json()
    const { id: found = again.json().eventId } = again.json()
    expect(first.statusCode.toString()).toMatch(/^20[12]$/)
    expect([early.statusCode, again.statusCode]).toEqual([409, first.statusCode])
    expect(made).toEqual(expect.any(String))
    expect([found, isReplay(again)]).toEqual([made, false])
    expect(again.headers.location).toBe(first.headers.location)
    expect([replayed.body, isReplay(replayed)]).toEqual([again.body, true])
    expect(await countRows()).toBe(before)
  },
)

test('a secret that was not seen gives way to another one, and only once more', async () => {
  const company = await newCompany()
  const first = (await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')).json()
  await dieBeforeTheAnswer(company, 'k')
  clock.offsetMs += REQUEST_LEASE_MS

  const again = (await send(company, ENDPOINTS_PATH, ENDPOINT_BODY, 'k')).json()

  const [row, ...more] = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.companyId, company.id))
  expect(more).toEqual([])
  expect(again.secret).not.toBe(first.secret)
  expect(testApp.cipher.decrypt(row!.secret, 'webhook_endpoints.secret', row!.id)).toBe(
    again.secret,
  )
})

test('a rotation with a lost answer leaves the secret that the receiver knows in use', async () => {
  const company = await newCompany()
  const { id, secret } = (await company.post(ENDPOINTS_PATH, ENDPOINT_BODY)).json()
  const path = `${ENDPOINTS_PATH}/${id}/rotate-secret`
  await send(company, path, {}, 'k')
  await dieBeforeTheAnswer(company, 'k')
  clock.offsetMs += REQUEST_LEASE_MS

  const again = (await send(company, path, {}, 'k')).json()

  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  expect(testApp.cipher.decrypt(row!.secret, 'webhook_endpoints.secret', row!.id)).toBe(
    again.secret,
  )
  expect(testApp.cipher.decrypt(row!.previousSecret!, 'webhook_endpoints.secret', row!.id)).toBe(
    secret,
  )
})

test('a process that comes back after its lease finds the other’s answer and changes nothing', async () => {
  const company = await newCompany()
  const blocker = await db.$client.connect()
  onTestFinished(() => blocker.release(true))
  await blocker.query('begin; lock table payment_links in exclusive mode')
  const slow = send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await expect.poll(async () => (await keysOf(company)).length).toBe(1)
  const [claimed] = await keysOf(company)
  clock.offsetMs += REQUEST_LEASE_MS
  const second = send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await expect
    .poll(async () => (await keysOf(company))[0]!.leasedUntil)
    .not.toBe(claimed!.leasedUntil)

  await blocker.query('rollback')
  const [one, other] = await Promise.all([slow, second])
  const replayed = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')

  expect([one.statusCode, other.statusCode]).toEqual([201, 201])
  expect(one.json().id).toBe(other.json().id)
  expect(isReplay(replayed)).toBe(true)
  expect(await linksOf(company)).toBe(1)
})
