// A request that takes longer than its lease of the key, and how long a lease lasts.
import { expect, onTestFinished, test } from 'vitest'
import {
  isReplay,
  LINKS_PATH,
  openIdempotentRequests,
  REQUEST_LEASE_MS,
} from '../support/idempotent-requests.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const DAY_MS = 24 * 3_600_000

const testApp = await openTestApp()
const { db, clock, newCompany, anotherProcess } = testApp
const { send, keysOf } = openIdempotentRequests(testApp)

/** Every insert of a link waits for its release: the first one for that of 1, the next one for that of 2. */
async function holdLinks(failing: number[] = []) {
  await db.$client.query(`
    create sequence comers;
    create function hold() returns trigger language plpgsql as $$
      declare comer int := nextval('comers');
      begin
        perform pg_advisory_xact_lock(42, comer);
        if comer = any (array[${failing}]::int[]) then raise exception 'broken'; end if;
        return null;
      end $$;
    create trigger hold before insert on payment_links for each statement execute function hold()`)
  const holder = await db.$client.connect()
  await holder.query('select pg_advisory_lock(42, 1), pg_advisory_lock(42, 2)')
  onTestFinished(async () => {
    holder.release(true)
    await db.$client.query('drop function hold cascade; drop sequence comers')
  })

  async function waitFor(comer: number) {
    const count = async () => {
      const { rows } = await db.$client.query('select last_value, is_called from comers')
      return rows[0].is_called ? Number(rows[0].last_value) : 0
    }
    await expect.poll(count).toBe(comer)
  }

  const letGo = (comer: number) => holder.query('select pg_advisory_unlock(42, $1)', [comer])
  return { waitFor, letGo }
}

test('five repetitions that wait as they are told outlast a request after its process died', async () => {
  const company = await newCompany()
  const { waitFor, letGo } = await holdLinks()
  const first = send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await waitFor(1)
  const waits: number[] = []
  for (let i = 0; i < 4; i++) {
    const { headers } = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
    const seconds = Number(headers['retry-after'])
    waits.push(seconds)
    clock.offsetMs += seconds * 1_000
  }
  await letGo(2)

  const fifth = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await letGo(1)
  await first

  // A second on a machine that has nothing else to do.
  expect(waits[0]).toBeLessThan(10)
  expect(fifth.statusCode).toBe(201)
})

test('an answer that comes after the lease does not replace the one that was kept', async () => {
  const company = await newCompany()
  const { waitFor, letGo } = await holdLinks()
  const slow = send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await waitFor(1)
  clock.offsetMs += REQUEST_LEASE_MS
  await letGo(2)
  const second = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  const kept = await keysOf(company)

  await letGo(1)
  const late = await slow

  expect([second.statusCode, late.statusCode]).toEqual([201, 201])
  expect(kept).toMatchObject([{ status: 201 }])
  expect(await keysOf(company)).toEqual(kept)
})

test('a failure that comes after the lease does not free the key for a third', async () => {
  const company = await newCompany()
  const { waitFor, letGo } = await holdLinks([1])
  const slow = send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await waitFor(1)
  clock.offsetMs += REQUEST_LEASE_MS
  const second = send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await waitFor(2)
  const held = await keysOf(company)

  await letGo(1)
  const late = await slow
  const heldStill = await keysOf(company)
  const third = await send(company, LINKS_PATH, MINIMAL_LINK, 'k')
  await letGo(2)

  expect([late.statusCode, third.statusCode]).toEqual([500, 409])
  expect(heldStill).toEqual(held)
  expect((await second).statusCode).toBe(201)
})

test('a key is free again a minute after its request died, and new a day after the first, to the millisecond', async () => {
  const company = await newCompany()
  const startMs = Date.now()
  const at = { ms: startMs }
  const now = () => new Date(at.ms)
  const cipher = { ...testApp.cipher, encrypt: dieBeforeTheAnswer }
  const process = await anotherProcess({ now, cipher })
  const sendAt = (ms: number) => {
    at.ms = startMs + ms
    return send(company, LINKS_PATH, MINIMAL_LINK, 'k', { process })
  }
  const first = await sendAt(0)
  Object.assign(cipher, testApp.cipher)

  const early = await sendAt(REQUEST_LEASE_MS - 1)
  const again = await sendAt(REQUEST_LEASE_MS)
  const replayed = await sendAt(DAY_MS)
  const anew = await sendAt(DAY_MS + 1)

  expect(early.statusCode).toBe(409)
  expect([again.statusCode, isReplay(again), again.json().id]).toEqual([
    201,
    false,
    first.json().id,
  ])
  expect([isReplay(replayed), replayed.json().id]).toEqual([true, first.json().id])
  expect(isReplay(anew)).toBe(false)
  expect(anew.json().id).not.toBe(first.json().id)
})

function dieBeforeTheAnswer(): never {
  throw new Error('died')
}
