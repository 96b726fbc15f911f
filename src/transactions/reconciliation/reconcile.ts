// Asks providers about payments and refunds whose end is not known: after a crash, a lost
// notification, a code that ran out. Whatever process finds one due takes it. A provider that is slow or
// away holds up nobody but its own: of one account only so many are under way at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import { OPEN_STATUSES, type ProviderName } from '../../database/enums.ts'
import { repeat } from '../../queue/interval.ts'
import { checkPayment } from '../check.ts'
import { getRetryAt } from '../check-schedule.ts'
import type { PayNeeds } from '../needs.ts'
import { setNextCheck } from '../progress.ts'
import { checkRefund } from '../refunds/execute.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import { claimPayments, claimRefunds } from './claim.ts'

const MAX_RUNNING_CHECKS = 200
const MAX_RUNNING_PER_ACCOUNT = 10
/** Of an account whose last check failed: many of them may be at one provider that is away. */
const MAX_RUNNING_PER_FAILING_ACCOUNT = 1
const RECONCILE_INTERVAL_MS = 1_000

/** Checks what is due at `now()`, waits for all of it, and answers how many that were. */
export async function reconcileDuePayments(needs: PayNeeds): Promise<number> {
  const checks = createCheckRunner(needs)
  for (let checked = 0; ; ) {
    checked += await checks.begin()
    if (checks.underWay.size === 0) return checked
    await Promise.race(checks.underWay)
  }
}

/** Reconciles until stopped. Stopping waits for the checks under way. */
export function startReconciler(needs: PayNeeds) {
  const checks = createCheckRunner(needs)
  const failure = 'payments cannot be reconciled for now'
  const stop = repeat({ pauseMs: RECONCILE_INTERVAL_MS, log: needs.log, failure }, async () => {
    await checks.begin()
    if (checks.underWay.size === 0) return false
    await Promise.race([...checks.underWay, sleep(RECONCILE_INTERVAL_MS)])
    return true
  })
  return async () => {
    await stop()
    await Promise.all(checks.underWay)
  }
}

type AccountLoad = { companyId: string; provider: ProviderName; count: number; isFailing: boolean }

/** `begin` starts as many checks as there is room for and answers how many that were. */
function createCheckRunner(needs: PayNeeds) {
  const { db, now } = needs
  const underWay = new Set<Promise<void>>()
  /** Those with checks under way, and those that fail. */
  const accounts = new Map<string, AccountLoad>()

  return { underWay, begin: startChecks }

  async function startChecks() {
    const refunds = await claimRefunds(db, getClaimOptions())
    for (const refund of refunds) trackCheck(refund, () => tryCheckRefund(needs, refund))
    const payments = await claimPayments(db, getClaimOptions())
    for (const row of payments) trackCheck(row, () => tryCheckPayment(needs, row))
    return refunds.length + payments.length
  }

  function getClaimOptions() {
    const rooms = [...accounts.values()].map(({ count, isFailing, ...account }) => {
      const room = Math.max(
        0,
        (isFailing ? MAX_RUNNING_PER_FAILING_ACCOUNT : MAX_RUNNING_PER_ACCOUNT) - count,
      )
      return { ...account, room }
    })
    const limit = MAX_RUNNING_CHECKS - underWay.size
    return { perAccount: MAX_RUNNING_PER_ACCOUNT, rooms, limit, now: now() }
  }

  function trackCheck(
    { companyId, provider }: Pick<AccountLoad, 'companyId' | 'provider'>,
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
async function tryCheckPayment(needs: PayNeeds, row: TransactionRow) {
  try {
    await checkPayment(needs, row)
    return true
  } catch (err) {
    needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
    await scheduleRetry(needs, row)
    return false
  }
}

/** One that is open is asked about again when the lease runs out. */
async function scheduleRetry({ db, log, now }: PayNeeds, row: TransactionRow) {
  if (OPEN_STATUSES.includes(row.status)) return
  await setNextCheck(db, row, getRetryAt(row, now())).catch((err) => {
    log.warn({ err, transactionId: row.id }, 'the next check of a payment could not be scheduled')
  })
}

async function tryCheckRefund(needs: PayNeeds, refund: RefundRow) {
  try {
    await checkRefund(needs, refund)
    return true
  } catch (err) {
    const { id: refundId, transactionId } = refund
    needs.log.warn({ err, refundId, transactionId }, 'a refund could not be checked')
    return false
  }
}
