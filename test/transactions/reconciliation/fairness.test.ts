// A provider that is slow or away holds up its own payments alone.
import { expect, onTestFinished, test } from 'vitest'
import { inArray } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import {
  reconcileDuePayments,
  startReconciler,
} from '../../../src/transactions/reconciliation/reconcile.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { newMerchant, addPayments } = openPayments(testApp)

/** So many payments of a company of its own that are due, since so long ago. */
async function due(count: number, sinceMs: number) {
  const merchant = await newMerchant()
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const times = { checkAt: at(-sinceMs), expiresAt: at(1_800_000) }
  const waiting = { status: 'pending', approvedAt: null, pixBrCode: 'code', ...times } as const
  const ids = await addPayments(merchant, at(-sinceMs), Array(count).fill(waiting))
  return { companyId: merchant.companyId, ids }
}

/** The company's provider answers as it is told, and says whom it was asked about. */
function behaving(companyId: string, answer: (times: number) => Promise<unknown>) {
  const asked: string[] = []
  const load = { now: 0, most: 0 }
  const find: Provider['find'] = async ({ transactionId, ...key }, now) => {
    asked.push(transactionId)
    load.most = Math.max(load.most, ++load.now)
    await answer(asked.length).finally(() => load.now--)
    return needs.providers.sandbox.find({ transactionId, ...key }, now)
  }
  const providers = {
    async open(owner: string, name: Parameters<typeof needs.providers.open>[1]) {
      const account = await needs.providers.open(owner, name)
      return owner === companyId ? { ...account, find } : account
    },
  }
  return { asked, load, needs: { ...needs, providers } }
}

/** Holds each call until so many are made at once, however slow this machine is. */
function openGate(count: number) {
  const opened = Promise.withResolvers<void>()
  return (present: number) => {
    if (present >= count) opened.resolve()
    return opened.promise
  }
}

async function stillDue(ids: string[]) {
  const rows = await db.select().from(transactions).where(inArray(transactions.id, ids))
  return rows.filter(({ checkAt }) => checkAt! <= clock.now().toISOString()).length
}

test('behind a bank that does not answer, the payments of others are asked about at once', async () => {
  const dead = await due(60, 60_000)
  const others = await due(15, 1_000)
  const silence = Promise.withResolvers<void>()
  const { asked, load, needs: slow } = behaving(dead.companyId, () => silence.promise)

  const stop = startReconciler(slow)
  onTestFinished(async () => {
    silence.resolve()
    await stop()
  })

  await expect.poll(() => stillDue(others.ids)).toBe(0)
  await expect.poll(() => load).toEqual({ now: 10, most: 10 })
  expect(await stillDue(dead.ids)).toBe(50)
  silence.resolve()
  await expect.poll(() => stillDue(dead.ids)).toBe(0)
  // Those that are claimed last are due no more a moment before they are asked about.
  await expect.poll(() => [asked.length, load]).toEqual([60, { now: 0, most: 10 }])
})

test('a bank that is away is asked about one payment at a time, until it is back', async () => {
  const { companyId, ids } = await due(30, 1_000)
  const together: number[] = []
  const [ten, more] = [openGate(10), openGate(6)]
  const bank = behaving(companyId, async (times) => {
    together.push(bank.load.now)
    if (times <= 10) await ten(bank.load.now)
    if (times > 16) await more(bank.load.now)
    if (times <= 15) throw new Error('The bank is away')
  })

  const checked = await reconcileDuePayments(bank.needs)

  expect(checked).toBe(30)
  expect(new Set(bank.asked)).toEqual(new Set(ids))
  expect(Math.max(...together.slice(0, 10))).toBe(10)
  expect(together.slice(10, 15)).toEqual([1, 1, 1, 1, 1])
  expect(Math.max(...together.slice(16))).toBeGreaterThan(5)
})

test('two that reconcile at once ask about each payment once', async () => {
  const { companyId, ids } = await due(40, 1_000)
  const bank = behaving(companyId, async () => {})

  const checked = await Promise.all([
    reconcileDuePayments(bank.needs),
    reconcileDuePayments(bank.needs),
  ])

  expect(checked[0] + checked[1]).toBe(40)
  expect(bank.asked.toSorted()).toEqual(ids.toSorted())
})
