// A bank that wants to be left alone for a while: nothing is sent to it before, of that account alone.
import { expect, test } from 'vitest'
import { findRetryAt } from '../../../src/providers/call.ts'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { newPixCharge } from '../../support/providers/charges.ts'
import { catchError } from '../../support/providers/harness.ts'

const { bank, clock, now } = await openBankAccount()

function opened() {
  const provider = createPixApiProvider(bank.config, { now })
  return { charge: () => provider.charge(newPixCharge(now()), now()) }
}

/** The bank's next answer to such a call. */
function refuseNext(on: RegExp, status: number, retryAfter: string) {
  bank.next({ on, does: 'answer', status, headers: { 'retry-after': retryAfter } })
}

test.each([
  [429, /^PUT .cob/, 1],
  [503, /^PUT .cob/, 1],
  [429, /^POST .oauth/, 1],
  [503, /^POST .oauth/, 1],
])('a bank that answers %d and Retry-After to %s is not called before', async (status, on) => {
  const { charge } = opened()
  clock.offsetMs = 0
  refuseNext(on, status, '120')

  const refused = await catchError(charge())
  const asked = bank.asked.length
  clock.offsetMs = 118_000
  const tooSoon = await catchError(charge())
  const before = bank.asked.length
  clock.offsetMs = 121_000
  const outcome = await charge()

  expect([refused, tooSoon]).toEqual([expect.any(ProviderDown), expect.any(ProviderDown)])
  expect(Math.abs(findRetryAt(tooSoon)!.getTime() - Date.now() - 120_000)).toBeLessThan(5_000)
  expect(before).toBe(asked)
  expect(outcome.status).toBe('pending')
})

test('another account is called meanwhile', async () => {
  const [one, other] = [opened(), opened()]
  refuseNext(/^PUT .cob/, 429, '600')
  await catchError(one.charge())

  expect((await other.charge()).status).toBe('pending')
})

test('a bank that asks for more than fifteen minutes is asked again after them', async () => {
  const { charge } = opened()
  refuseNext(/^PUT .cob/, 503, '86400')
  await catchError(charge())

  clock.offsetMs = 14 * 60_000
  await expect(charge()).rejects.toThrow('wants no calls')
  clock.offsetMs = 16 * 60_000

  expect((await charge()).status).toBe('pending')
})

test.each(['', 'soon', '0', '-5', new Date(0).toUTCString()])(
  'a Retry-After that says nothing is none: %s',
  async (retryAfter) => {
    const { charge } = opened()
    refuseNext(/^PUT .cob/, 429, retryAfter)
    await catchError(charge())

    expect((await charge()).status).toBe('pending')
  },
)

test('an answer that says nothing of being busy stops nobody, whatever it asks for', async () => {
  const { charge } = opened()
  refuseNext(/^PUT .cob/, 500, '600')
  await catchError(charge())

  expect((await charge()).status).toBe('pending')
})
