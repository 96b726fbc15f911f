// Asks providers about payments and refunds whose end has not been heard: after a crash, a lost
// notification, a code that ran out. Whatever process finds one due takes it. A provider that is slow or
// away holds up nobody but its own: of one account only so many are under way at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderName } from '../../database/enums.ts'
import { repeat } from '../../queue/interval.ts'
import type { PayNeeds } from '../needs.ts'
import { check } from '../pay.ts'
import { plan } from '../progress.ts'
import { checkRefund } from '../refunds/execute.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import { claimPayments, claimRefunds } from './claim.ts'
import { OPEN, retryAt } from './schedule.ts'

const MAX_UNDER_WAY = 200
const MAX_OF_ACCOUNT = 10
/** Of an account whose last check failed: many of them may be at one provider that is away. */
const MAX_OF_FAILING = 1
const IDLE_MS = 1_000

/** Checks what is due at `now()`, waits for all of it, and answers how many that were. */
export async function reconcileDue(needs: PayNeeds): Promise<number> {
  const checks = checker(needs)
  for (let checked = 0; ; ) {
    checked += await checks.begin()
    if (checks.underWay.size === 0) return checked
    await Promise.race(checks.underWay)
  }
}

/** Reconciles until stopped. Stopping waits for the checks under way. */
export function startReconciler(needs: PayNeeds) {
  const checks = checker(needs)
  const failure = 'payments cannot be reconciled for now'
  const stop = repeat({ pauseMs: IDLE_MS, log: needs.log, failure }, async () => {
    await checks.begin()
    if (checks.underWay.size === 0) return false
    await Promise.race([...checks.underWay, sleep(IDLE_MS)])
    return true
  })
  return async () => {
    await stop()
    await Promise.all(checks.underWay)
  }
}

type Account = { companyId: string; provider: ProviderName; count: number; isFailing: boolean }

/** `begin` starts as many checks as there is room for and answers how many that were. */
function checker(needs: PayNeeds) {
  const { db, now } = needs
  const underWay = new Set<Promise<void>>()
  /** Those with checks under way, and those that fail. */
  const accounts = new Map<string, Account>()

  return { underWay, begin }

  async function begin() {
    const refunds = await claimRefunds(db, free())
    for (const refund of refunds) follow(refund, () => checkOneRefund(needs, refund))
    const payments = await claimPayments(db, free())
    for (const row of payments) follow(row, () => checkOne(needs, row))
    return refunds.length + payments.length
  }

  function free() {
    const rooms = [...accounts.values()].map(({ count, isFailing, ...account }) => {
      const room = Math.max(0, (isFailing ? MAX_OF_FAILING : MAX_OF_ACCOUNT) - count)
      return { ...account, room }
    })
    const limit = MAX_UNDER_WAY - underWay.size
    return { perAccount: MAX_OF_ACCOUNT, rooms, limit, now: now() }
  }

  function follow(
    { companyId, provider }: Pick<Account, 'companyId' | 'provider'>,
    work: () => Promise<boolean>,
  ) {
    const key = `${companyId} ${provider}`
    const account = accounts.get(key) ?? { companyId, provider, count: 0, isFailing: false }
    accounts.set(key, account)
    account.count++
    const going: Promise<void> = work().then((went) => {
      underWay.delete(going)
      account.count--
      account.isFailing = !went
      if (account.count === 0 && went) accounts.delete(key)
    })
    underWay.add(going)
  }
}

/** False when the provider, or our own database, would not. */
async function checkOne(needs: PayNeeds, row: TransactionRow) {
  try {
    await check(needs, row)
    return true
  } catch (err) {
    needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
    await planAnew(needs, row)
    return false
  }
}

/** One that is open is asked about again when the lease runs out. */
async function planAnew({ db, log, now }: PayNeeds, row: TransactionRow) {
  if (OPEN.includes(row.status)) return
  await plan(db, row, retryAt(row, now())).catch((err) => {
    log.warn({ err, transactionId: row.id }, 'the next look at a payment could not be planned')
  })
}

async function checkOneRefund(needs: PayNeeds, refund: RefundRow) {
  try {
    await checkRefund(needs, refund)
    return true
  } catch (err) {
    const { id: refundId, transactionId } = refund
    needs.log.warn({ err, refundId, transactionId }, 'a refund could not be checked')
    return false
  }
}
