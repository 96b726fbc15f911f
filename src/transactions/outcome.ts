// Applies what a provider says of a charge, whoever asked it: the answer to the charge itself, a
// notification, the reconciler. What ends the payment goes to settle.ts; anything else is written down
// until the provider is asked again.

import { OPEN_STATUSES } from '../database/enums.ts'
import { isPast, MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import type { PaymentOutcome } from '../http/metrics/metrics.ts'
import { recordClockOffset } from '../providers/accounts.ts'
import { getCapabilities } from '../providers/capabilities.ts'
import type { Approval, ChargeOutcome, Decline } from '../providers/provider.ts'
import { getNextCheckAt } from './check-schedule.ts'
import { recordDisputes } from './disputes/dispute.ts'
import { hasOpenDispute } from './disputes/taken.ts'
import { holdUnreadablePayment, PAYABLE_STATUSES } from './hold.ts'
import { sumCents } from './incoming/amounts.ts'
import { listIncomingPayments } from './incoming/incoming-payment.ts'
import { clampApproval } from './incoming/instants.ts'
import type { PayNeeds } from './needs.ts'
import { recordProviderPayout } from './payouts/correct.ts'
import {
  recordChallenge,
  recordChallengeAnswered,
  recordPixCode,
  rescheduleCheck,
  scheduleCheckBefore,
  setNextCheck,
} from './progress.ts'
import { openPaymentAccount, toChargeKey } from './provider-account.ts'
import { recordReversals } from './refunds/returns.ts'
import { settle, type Verdict } from './settle.ts'
import { findStepInstant, tryRecordStep, type VerdictSource } from './steps.ts'
import {
  IN_FLIGHT_MS,
  isAmountMismatch,
  reloadTransaction,
  type TransactionRow,
} from './transaction.ts'

/** What a charge comes to that the provider would not work on, however often it was sent. */
export const PROVIDER_UNAVAILABLE: Decline = {
  status: 'declined',
  reference: null,
  declineCode: 'provider_error',
  abecsCode: '91',
  retryable: true,
}
/** The provider gave the charge up. */
const CHARGE_ABANDONED: Decline = { ...PROVIDER_UNAVAILABLE, abecsCode: null }
/** After this long without a trace at the provider, a charge never reached it. */
const LOST_AFTER_MS = MINUTE_MS
const UNREAD_CHECK_DELAY_MS = MINUTE_MS
/** A provider may call a charge paid some seconds before it shows what paid it. */
const HOLD_UNSHOWN_AFTER_MS = 15 * SECOND_MS
const UNSHOWN_CHECK_DELAY_MS = 5 * SECOND_MS
const UNSHOWN_STEP = { kind: 'provider_failed', details: { reason: 'unreadable' } } as const

/** The payment as it stands after this; `source` is what made us ask. */
export async function applyOutcome(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: ChargeOutcome,
  source: VerdictSource,
): Promise<TransactionRow> {
  const { db } = needs
  const now = needs.now()
  if (outcome.status === 'approved') return applyApproval(needs, row, outcome, source)
  if (outcome.status === 'unreadable') return applyUnreadableOutcome(needs, row, outcome)
  const isOver = !OPEN_STATUSES.includes(row.status) || isAmountMismatch(row)
  if (isOver) return scheduleNextCheck(needs, row, row)
  switch (outcome.status) {
    case 'pending':
      return applyPendingOutcome(needs, row, outcome, source)
    case 'awaiting_authentication':
      await tryRecordStep(needs, row.id, { kind: 'challenge', once: true })
      return recordChallenge(db, row, outcome, now)
    case 'processing':
      await tryRecordStep(needs, row.id, { kind: 'processing', once: true })
      return outcome.isPayerDone && row.status === 'awaiting_authentication'
        ? recordChallengeAnswered(db, row, outcome.reference, now)
        : rescheduleCheck(db, row, now, outcome.reference)
    case 'unknown':
      return applyUnknownOutcome(needs, row, now)
    case 'canceled':
      return settleAndReload(needs, row, row.method === 'pix' ? outcome : CHARGE_ABANDONED, source)
    case 'declined':
      return settleAndReload(needs, row, outcome, source)
  }
}

async function applyPendingOutcome(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: ChargeOutcome & { status: 'pending' },
  source: VerdictSource,
) {
  const now = needs.now()
  if (outcome.clockOffsetHours !== undefined)
    await recordClockOffset(needs.db, row, outcome.clockOffsetHours)
  if (!row.pixBrCode) return recordPixCode(needs.db, row, outcome, now)
  if (isPast(row.expiresAt, now)) return expirePayment(needs, row)
  // A bank that notifies of money before it shows it is asked again soon.
  return rescheduleCheck(needs.db, source === 'notification' ? { ...row, checks: 0 } : row, now)
}

/** Paid by what can't be read: held at once, or a while later where the provider may show it yet. */
async function applyUnreadableOutcome(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: ChargeOutcome & { status: 'unreadable' },
) {
  const { db, checkoutUrl, mail } = needs
  const now = needs.now()
  const isPayable = PAYABLE_STATUSES.includes(row.status) && row.holdReason === null
  if (!isPayable) return scheduleNextCheck(needs, row, row)
  if (outcome.field === null) {
    const since = (await findStepInstant(db, row.id, UNSHOWN_STEP)) ?? now.toISOString()
    await tryRecordStep(needs, row.id, { ...UNSHOWN_STEP, once: true })
    if (now.getTime() - Date.parse(since) < HOLD_UNSHOWN_AFTER_MS) {
      const soon = new Date(now.getTime() + UNSHOWN_CHECK_DELAY_MS)
      await setNextCheck(db, row, soon.toISOString())
      return row
    }
  }
  const held = await db.transaction((tx) =>
    holdUnreadablePayment(tx, row, outcome, { checkoutUrl, mail, now }),
  )
  if (held) needs.metrics?.countPayment(row, 'held')
  return held ?? reloadTransaction(db, row.id)
}

/** A charge that the provider knows nothing of; one that only has to be sent again never comes here. */
async function applyUnknownOutcome(needs: PayNeeds, row: TransactionRow, now: Date) {
  if (row.method === 'pix') {
    return isPast(row.expiresAt, now)
      ? expirePayment(needs, row)
      : rescheduleCheck(needs.db, row, now)
  }
  const isLost = now.getTime() - Date.parse(row.createdAt) >= LOST_AFTER_MS
  return isLost
    ? settleAndReload(needs, row, PROVIDER_UNAVAILABLE, 'reconciliation')
    : rescheduleCheck(needs.db, row, now)
}

/**
 * Ends a Pix in time whose provider can't be asked. Its payer may have paid before: it is asked about
 * again soon, and what came is booked then.
 */
export async function expireUnreadPix(needs: PayNeeds, row: TransactionRow) {
  const expired = await expirePayment(needs, row)
  if (expired.status === 'expired') {
    const soon = new Date(needs.now().getTime() + UNREAD_CHECK_DELAY_MS)
    await scheduleCheckBefore(needs.db, row.id, soon.toISOString())
  }
  return expired
}

function expirePayment(needs: PayNeeds, row: TransactionRow) {
  return settleAndReload(needs, row, { status: 'expired' }, 'reconciliation')
}

async function settleAndReload(
  needs: PayNeeds,
  row: TransactionRow,
  verdict: Verdict,
  source: VerdictSource,
) {
  const { db, checkoutUrl, now, mail } = needs
  const ended = await settle(db, row, verdict, { checkoutUrl, now: now(), source, mail })
  switch (ended.kind) {
    case 'settled':
      needs.metrics?.countPayment(row, toPaymentOutcome(verdict))
      return ended.payment
    case 'held':
      needs.metrics?.countPayment(row, 'held')
      return ended.payment
    case 'booked':
      return ended.payment
    case 'unchanged':
      return reloadTransaction(db, row.id)
  }
}

/** A refusal by nobody is not a decline. */
function toPaymentOutcome(verdict: Verdict): PaymentOutcome {
  const isError = verdict.status === 'declined' && verdict.declineCode === 'provider_error'
  return isError ? 'error' : verdict.status
}

async function applyApproval(
  needs: PayNeeds,
  row: TransactionRow,
  told: Approval,
  source: VerdictSource,
) {
  const approval = clampApproval(told, row, needs.now())
  await recordDisputesOfHeld(needs, row, approval)
  const current = await settleAndReload(needs, row, approval, source)
  if (current.status === 'declined') return voidCharge(needs, row, current, approval)
  const refunded = await recordReversals(needs, current, approval)
  const { db, checkoutUrl, now, mail } = needs
  const { disputes = [] } = approval
  const disputed = await recordDisputes(db, refunded, disputes, { checkoutUrl, now: now(), mail })
  return scheduleNextCheck(needs, row, await recordProviderPayout(db, disputed, approval, now()))
}

/** What they took of money that is held pays nothing: it is known before what else has come in is judged. */
async function recordDisputesOfHeld(
  { db, checkoutUrl, now, mail }: PayNeeds,
  row: TransactionRow,
  { disputes = [] }: Approval,
) {
  const wasHeld = row.holdReason !== null && row.approvedAt === null
  if (!wasHeld || disputes.length === 0) return
  const booked = await listIncomingPayments(db, row.id)
  const known = booked.map(({ endToEndId }) => endToEndId)
  const ofHeld = disputes.filter(({ endToEndId }) => endToEndId && known.includes(endToEndId))
  await recordDisputes(db, row, ofHeld, { checkoutUrl, now: now(), mail })
}

/** Money taken for a payment that we have called declined goes back. */
async function voidCharge(
  needs: PayNeeds,
  asked: TransactionRow,
  declined: TransactionRow,
  approval: Approval,
) {
  const { reference } = approval
  if (isGivenBack(approval)) return scheduleNextCheck(needs, asked, declined)
  const { db, log, now } = needs
  log.error({ transactionId: asked.id }, 'approved after it was declined: canceling the charge')
  // Until it is done: whoever dies meanwhile has it done by somebody else.
  await scheduleCheckBefore(db, asked.id, new Date(now().getTime() + IN_FLIGHT_MS).toISOString())
  const account = await openPaymentAccount(needs, asked)
  await account.cancel({ ...toChargeKey(asked), reference }, now())
  await tryRecordStep(needs, asked.id, { kind: 'voided' })
  const current = await reloadTransaction(db, asked.id)
  return scheduleNextCheck(needs, current, current)
}

/** Nothing of it is left, by refunds or by disputes. */
function isGivenBack({ disputes = [], ...approval }: Approval) {
  const lost = disputes.filter(({ status }) => status === 'lost')
  const lostCents = sumCents(lost.map(({ amountCents }) => amountCents))
  if (!approval.received) return (approval.refundedCents ?? 0) + lostCents >= approval.paidCents
  const left = approval.received.map((pix) => pix.amountCents - pix.refundedCents)
  return sumCents(left) <= lostCents
}

/** Schedules the next check of a payment that has ended, as it stands now. */
async function scheduleNextCheck(
  { db, now }: PayNeeds,
  asked: TransactionRow,
  current: TransactionRow,
): Promise<TransactionRow> {
  // Whoever ended it has scheduled it too.
  if (current.checkAt !== asked.checkAt) return current
  const canBeDisputed = getCapabilities(current.provider).reversals
  const isDisputed = canBeDisputed && (await hasOpenDispute(db, current.id))
  await setNextCheck(db, asked, getNextCheckAt(current, now(), { isDisputed }))
  return current
}
