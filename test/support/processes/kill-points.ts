// Kills a process at a moment of its work: while a provider holds its call, or while our own database
// holds its commit.
import { expect } from 'vitest'
import type { FakeBank } from '../providers/bank/fake.ts'
import type { openRealProviders } from '../providers/real-providers.ts'
import { SOON } from './consistency-checks.ts'
import type { Service } from './service.ts'

type RealProviders = Awaited<ReturnType<typeof openRealProviders>>

/** Made ready before the work begins. Resolves when it is time to kill; then what to do after that. */
export type KillPoint = (
  realProviders: RealProviders,
) => Promise<() => Promise<() => Promise<void>>>

export type KillCase = [when: string, at: KillPoint | null]

/** Each moment costs a process. A change is tried at the hardest; the nightly suite tries all of them. */
export function atNight(cases: KillCase[]) {
  return process.env.KILL_MOMENTS === 'all' ? cases : []
}

const doNothing = async () => {}

async function waitUntil(isSo: () => boolean | Promise<boolean>) {
  await expect.poll(isSo, SOON).toBe(true)
  return doNothing
}

type Breakable = Pick<FakeBank, 'calls' | 'next'>

/** A provider has got this call, and says nothing; whether it does what it was asked is `works`. */
export function hangCall(fake: Breakable, on: RegExp, works: boolean): KillPoint {
  return async () => {
    const before = fake.calls(on).length
    fake.next({ on, works, does: 'hang' })
    return () => waitUntil(() => fake.calls(on).length > before)
  }
}

/** The provider's verdict is known, and about to be written and told. */
export const beforeEventIsWritten = holdTable('events')

/** About to write a row of this table, in the middle of a transaction or at its beginning. */
export function holdTable(table: 'events' | 'disputes' | 'webhook_deliveries'): KillPoint {
  return async ({ hold, somebodyWaits }) => {
    const release = await hold(`lock table ${table} in exclusive mode`)
    return async () => {
      // Others may want it as well, such as who deletes what is old.
      await waitUntil(() => somebodyWaits(`(insert into|update) ${table}`))
      return release
    }
  }
}

/** The bank has told of money, and its row is about to be written. */
export const beforeIncomingIsWritten: KillPoint = async ({ hold, somebodyWaits }) => {
  const release = await hold('lock table incoming_payments in exclusive mode')
  return async () => {
    await waitUntil(() => somebodyWaits())
    return release
  }
}

/** The provider has done what it was asked by this call and said so, and its answer is about to be kept. */
export function beforeAnswerIsKept(fake: Breakable, on: RegExp): KillPoint {
  return async ({ hold, somebodyWaits }) => {
    const [before, answer] = [fake.calls(on).length, Promise.withResolvers<void>()]
    fake.next({ on, does: 'wait', until: answer.promise })
    return async () => {
      await waitUntil(() => fake.calls(on).length > before)
      const release = await hold('select 1 from transactions for update')
      answer.resolve()
      await waitUntil(() => somebodyWaits())
      return release
    }
  }
}

/** Has the work done, and kills who does it at that moment; null: as soon as it has answered. */
export async function killProcessAt(
  realProviders: RealProviders,
  victim: Service,
  at: KillPoint | null,
  work: () => Promise<Response>,
) {
  const reach = await at?.(realProviders)
  const answer = work().then(
    ({ status }) => status,
    () => 'no answer',
  )
  const after = reach ? await reach() : await answer.then(() => doNothing)
  await victim.end('SIGKILL')
  await after()
  expect(await answer).toEqual(at ? 'no answer' : expect.toBeOneOf([200, 201, 303]))
}
