// Asks providers about payments and refunds in progress: after a crash, a lost notification or an expired code. Any
// process may claim a due one. A slow or absent provider delays only its own payments: each account has a limit of
// checks under way.
import { isSandbox, type ProviderName } from '../../database/enums.ts'
import { findRetryAt } from '../../providers/call.ts'
import { type Jobs, runDueJobs, startWorker } from '../../queue/worker.ts'
import { checkPayment } from '../check.ts'
import { isPayerWaiting } from '../check-schedule.ts'
import type { PayNeeds } from '../needs.ts'
import { checkRefund } from '../refunds/execute.ts'
import { settle } from '../settle.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import { recordPause } from './account-lists.ts'
import { claimPayments, claimRefunds, listOverduePix } from './claim.ts'

const MAX_RUNNING_CHECKS = 200
const MAX_RUNNING_PER_ACCOUNT = 10
/** For an account with a failed last check, since many accounts may be at one unreachable provider. */
const MAX_RUNNING_PER_FAILING_ACCOUNT = 1
const RECONCILE_INTERVAL_MS = 1_000

/** Checks all that is due at `now()` and returns the number; `onStart` is called with each. */
export async function reconcileDuePayments(
  needs: PayNeeds,
  onStart?: (count: number) => void,
): Promise<number> {
  return runDueJobs(createCheckJobs(needs), onStart)
}

/** Reconciles until stopped; stopping waits for the running checks. */
export function startReconciler(needs: PayNeeds) {
  return startWorker({
    ...createCheckJobs(needs),
    pollMs: RECONCILE_INTERVAL_MS,
    onOutage: (err) => needs.log.warn({ err }, 'payments cannot be reconciled for now'),
  })
}

type AccountLoad = { companyId: string; provider: ProviderName; count: number; isFailing: boolean }

type CheckResult =
  | { kind: 'checked' }
  /** The provider or our own database failed. */
  | { kind: 'failed' }

type CheckJob = Pick<AccountLoad, 'companyId' | 'provider'> & { check: () => Promise<CheckResult> }

function createCheckJobs(needs: PayNeeds): Jobs<CheckJob> {
  const { db, now } = needs
  /** Accounts with running checks, and failing accounts. */
  const accounts = new Map<string, AccountLoad>()

  return { claim: claimChecks, run: runCheck, concurrency: MAX_RUNNING_CHECKS }

  // Claimed refunds start before payments are claimed.
  async function* claimChecks(limit: number): AsyncGenerator<CheckJob> {
    const dueRefunds = await claimRefunds(db, getClaimOptions(limit))
    await expireUnreadable()
    for (const row of dueRefunds) yield { ...row, check: () => tryCheckRefund(needs, row) }
    const duePayments = await claimPayments(db, getClaimOptions(limit - dueRefunds.length))
    for (const row of duePayments) yield { ...row, check: () => tryCheckPayment(needs, row) }
  }

  /** Pix of a provider that cannot be asked still expire in time. */
  async function expireUnreadable() {
    const failing = [...accounts.values()].filter(({ isFailing }) => isFailing)
    for (const row of await listOverduePix(db, failing, now()))
      await settle(needs, row, { kind: 'time ran out' })
  }

  function getClaimOptions(limit: number) {
    const rooms = [...accounts.values()].map(({ count, isFailing, ...account }) => {
      const most = isFailing ? MAX_RUNNING_PER_FAILING_ACCOUNT : MAX_RUNNING_PER_ACCOUNT
      return { ...account, room: Math.max(0, most - count) }
    })
    return { perAccount: MAX_RUNNING_PER_ACCOUNT, rooms, limit, now: now() }
  }

  async function runCheck({ companyId, provider, check }: CheckJob) {
    const key = `${companyId} ${provider}`
    const account = accounts.get(key) ?? { companyId, provider, count: 0, isFailing: false }
    accounts.set(key, account)
    account.count++
    const { kind } = await check()
    account.isFailing = kind === 'failed'
    account.count--
    if (account.count === 0 && !account.isFailing) accounts.delete(key)
  }
}

async function tryCheckPayment(needs: PayNeeds, row: TransactionRow): Promise<CheckResult> {
  try {
    const lane = isPayerWaiting(row, needs.now()) ? 'payer' : 'background'
    await checkPayment(needs, row, 'reconciliation', lane)
    return { kind: 'checked' }
  } catch (err) {
    needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
    const retryAt = findRetryAt(err)
    await Promise.all([
      sharePause(needs, row, retryAt),
      settle(needs, row, { kind: 'no answer', retryAt }),
    ]).catch((failure) => {
      const about = { err: failure, transactionId: row.id }
      needs.log.warn(about, 'the next check of a payment could not be scheduled')
    })
    return { kind: 'failed' }
  }
}

/** Stores the pause that the provider wants, for the other processes. */
async function sharePause(
  { db }: PayNeeds,
  { companyId, provider }: Pick<AccountLoad, 'companyId' | 'provider'>,
  until: Date | undefined,
) {
  if (until && !isSandbox(provider)) await recordPause(db, { companyId, provider }, until)
}

type DueRefund = RefundRow & { provider: ProviderName }

async function tryCheckRefund(needs: PayNeeds, refund: DueRefund): Promise<CheckResult> {
  try {
    await checkRefund(needs, refund)
    return { kind: 'checked' }
  } catch (err) {
    const { id: refundId, transactionId } = refund
    needs.log.warn({ err, refundId, transactionId }, 'a refund could not be checked')
    await sharePause(needs, refund, findRetryAt(err))
    return { kind: 'failed' }
  }
}
