// Kills a process at a moment of its work: while a provider holds its call, or while our own database
// holds its commit.
import { expect } from 'vitest'
import { SOON } from './ledger.ts'
import type { openRealMoney } from './real-shop.ts'
import type { Service } from './service.ts'

type World = Awaited<ReturnType<typeof openRealMoney>>

/** Made ready before the work begins. Resolves when it is time to kill; then what to do after that. */
export type Moment = (world: World) => Promise<() => Promise<() => Promise<void>>>

const nothing = async () => {}

async function until(isSo: () => boolean | Promise<boolean>) {
  await expect.poll(isSo, SOON).toBe(true)
  return nothing
}

/** The bank has got this call, and says nothing; whether it does what it was asked is `works`. */
export function bankHangs(on: RegExp, works: boolean): Moment {
  return async ({ bank }) => {
    bank.next({ on, works, does: 'hang' })
    return () => until(() => bank.calls(on).length > 0)
  }
}

/** The same of Mercado Pago, after so many calls that go well. */
export function marketHangs(after: boolean, passing = 0): Moment {
  return async ({ market }) => {
    const before = market.calls.length
    for (let i = 0; i < passing; i++) market.next({ after: true, how: 'passes' })
    market.next({ after, how: 'hangs' })
    return () => until(() => market.calls.length > before + passing)
  }
}

/** The provider's verdict is known, and about to be written and told. */
export const beforeItIsTold: Moment = async ({ hold, somebodyWaits }) => {
  const release = await hold('lock table events in exclusive mode')
  return async () => {
    await until(somebodyWaits)
    return release
  }
}

/** The bank has made the charge and said so, and its code is about to be kept. */
export const beforeItsCodeIsKept: Moment = async ({ bank, hold, somebodyWaits }) => {
  const answer = Promise.withResolvers<void>()
  bank.next({ on: /^PUT .cob/, does: 'wait', until: answer.promise })
  return async () => {
    await until(() => bank.book.cobs.size === 1)
    const release = await hold('select 1 from transactions for update')
    answer.resolve()
    await until(somebodyWaits)
    return release
  }
}

/** Has the work done, and kills who does it at that moment; null: as soon as it has answered. */
export async function killAt(
  world: World,
  victim: Service,
  at: Moment | null,
  work: () => Promise<Response>,
) {
  const reach = await at?.(world)
  const answer = work().then(
    ({ status }) => status,
    () => 'no answer',
  )
  const after = reach ? await reach() : await answer.then(() => nothing)
  await victim.end('SIGKILL')
  await after()
  expect(await answer).toEqual(at ? 'no answer' : expect.toBeOneOf([200, 201, 303]))
}
