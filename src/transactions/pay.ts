// The walk of one payment: the intent is committed, the provider is asked, the verdict is settled. The
// provider is called outside any database transaction and knows the charge by our id, so whatever
// happens in between, asking it again tells how the charge ended.

import { setTimeout as sleep } from 'node:timers/promises'
import { findLinkById, type LinkRow } from '../payment-links/payment-link.ts'
import {
  type Approval,
  type CardToken,
  type Charge,
  type ChargeOutcome,
  type Decline,
  ProviderDown,
} from '../providers/provider.ts'
import { createAttempt, type Precheck } from './create.ts'
import type { PayNeeds } from './needs.ts'
import { recordPixCode } from './pix-code.ts'
import { recordChallenge, rescheduleCheck, scheduleCheckBefore, setNextCheck } from './progress.ts'
import { getNextCheckAt, OPEN_STATUSES } from './reconciliation/schedule.ts'
import { recordReversals } from './refunds/reversals.ts'
import { settle, type Verdict } from './settle.ts'
import { classifyProviderError, tryRecordStep, type VerdictSource } from './timeline/steps.ts'
import {
  findTransaction,
  findTransactionByAttempt,
  IN_FLIGHT_MS,
  type TransactionRow,
} from './transaction.ts'

const CHARGE_RETRY_DELAYS_MS = [200, 600]
const PROVIDER_UNAVAILABLE: Decline = {
  status: 'declined',
  reference: null,
  declineCode: 'provider_error',
  abecsCode: '91',
  retryable: true,
}
/** The provider gave the charge up. */
const CHARGE_ABANDONED: Decline = { ...PROVIDER_UNAVAILABLE, abecsCode: null }
/** After this long without a trace at the provider, a charge never reached it. */
const LOST_AFTER_MS = 60_000

type ChargeDetails = {
  link: LinkRow
  merchant: { name: string; city: string }
  /** Used for this charge and not kept. */
  card: CardToken | null
}

export type PaymentInput = ChargeDetails & { row: TransactionRow; precheck?: Precheck | null }

/**
 * Pays once for each attempt token: the same token again answers with the first attempt, whose end may
 * still be out.
 */
export async function processPayment(
  needs: PayNeeds,
  { row, precheck = null, ...order }: PaymentInput,
) {
  const written = await createAttempt(needs.db, order.link, { row, precheck })
  if (typeof written !== 'boolean') return written
  if (!written)
    return (await findTransactionByAttempt(needs.db, row.paymentLinkId, row.attemptToken))!
  return chargePayment(needs, row, order)
}

/** Asks the provider how a charge stands and applies its answer; `source` is what made us ask. */
export async function checkPayment(
  needs: PayNeeds,
  row: TransactionRow,
  source: VerdictSource = 'reconciliation',
): Promise<TransactionRow> {
  const account = await needs.providers.open(row.companyId, row.provider)
  const outcome = await account.find(toChargeKey(row), needs.now())
  return applyOutcome(needs, row, outcome, source)
}

/** Where a payment's money is. Throws ProviderDown when the company has gone live, or back, since. */
export async function openPaymentAccount(
  { providers }: Pick<PayNeeds, 'providers'>,
  { companyId, provider, testMode }: TransactionRow,
) {
  const account = await providers.open(companyId, provider)
  if (account.testMode !== testMode) throw new ProviderDown('It is another account by now')
  return account
}

async function chargePayment(needs: PayNeeds, row: TransactionRow, order: ChargeDetails) {
  const outcome = await sendCharge(needs, row, order)
  return outcome ? applyOutcome(needs, row, outcome, 'charge') : row
}

/** Undefined when nobody knows what became of the charge: the row stays open until `check` does. */
async function sendCharge(needs: PayNeeds, row: TransactionRow, order: ChargeDetails) {
  const delays = needs.retryDelaysMs ?? CHARGE_RETRY_DELAYS_MS
  for (let tries = 0; ; tries++) {
    try {
      return await sendChargeOnce(needs, row, order)
    } catch (error) {
      needs.log.warn({ err: error, transactionId: row.id }, 'a charge failed without a verdict')
      const details = { reason: classifyProviderError(error) }
      await tryRecordStep(needs, row.id, { kind: 'provider_failed', details })
      if (!(error instanceof ProviderDown)) return undefined
      const delay = delays[tries]
      if (delay === undefined) return PROVIDER_UNAVAILABLE
      await sleep(delay)
    }
  }
}

async function sendChargeOnce(needs: PayNeeds, row: TransactionRow, order: ChargeDetails) {
  const account = await openPaymentAccount(needs, row)
  return account.charge(buildCharge(row, order, account.notifyUrl), needs.now())
}

async function applyOutcome(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: ChargeOutcome,
  source: VerdictSource,
): Promise<TransactionRow> {
  const { db } = needs
  const now = needs.now()
  if (outcome.status === 'approved') return applyApproval(needs, row, outcome, source)
  if (!OPEN_STATUSES.includes(row.status)) return scheduleNextCheck(needs, row, row)
  switch (outcome.status) {
    case 'pending':
      return applyPendingOutcome(needs, row, outcome, source)
    case 'awaiting_authentication':
      await tryRecordStep(needs, row.id, { kind: 'challenge', once: true })
      return recordChallenge(db, row, outcome, now)
    case 'processing':
      await tryRecordStep(needs, row.id, { kind: 'processing', once: true })
      return rescheduleCheck(db, row, now, outcome.reference)
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
  if (!row.pixBrCode) return recordPixCode(needs.db, row, outcome, now)
  if (isPaymentExpired(row, now)) return expirePayment(needs, row)
  // A bank that has told of money before it shows it is asked again soon.
  return rescheduleCheck(needs.db, source === 'notification' ? { ...row, checks: 0 } : row, now)
}

async function applyUnknownOutcome(needs: PayNeeds, row: TransactionRow, now: Date) {
  if (row.method === 'pix') {
    if (isPaymentExpired(row, now)) return expirePayment(needs, row)
    if (row.pixBrCode) return rescheduleCheck(needs.db, row, now)
    const { link, company } = (await findLinkById(needs.db, row.paymentLinkId))!
    return chargePayment(needs, row, { link, merchant: company, card: null })
  }
  const lost = now.getTime() - Date.parse(row.createdAt) >= LOST_AFTER_MS
  return lost
    ? settleAndReload(needs, row, PROVIDER_UNAVAILABLE, 'reconciliation')
    : rescheduleCheck(needs.db, row, now)
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
  return ended ?? (await findTransaction(db, row.id))!
}

async function applyApproval(
  needs: PayNeeds,
  row: TransactionRow,
  approval: Approval,
  source: VerdictSource,
) {
  const current = await settleAndReload(needs, row, approval, source)
  if (current.status === 'declined') return voidCharge(needs, row, current, approval)
  return scheduleNextCheck(needs, row, await recordReversals(needs, current, approval, source))
}

/** Money taken for a payment that we have called declined goes back. */
async function voidCharge(
  needs: PayNeeds,
  asked: TransactionRow,
  declined: TransactionRow,
  { reference, paidCents, refundedCents = 0 }: Approval,
) {
  if (refundedCents >= paidCents) return scheduleNextCheck(needs, asked, declined)
  const { db, log, now } = needs
  log.error({ transactionId: asked.id }, 'approved after it was declined: canceling the charge')
  // Until it is done: whoever dies meanwhile has it done by somebody else.
  await scheduleCheckBefore(db, asked.id, new Date(now().getTime() + IN_FLIGHT_MS).toISOString())
  const account = await openPaymentAccount(needs, asked)
  await account.cancel({ ...toChargeKey(asked), reference }, now())
  await tryRecordStep(needs, asked.id, { kind: 'voided' })
  const current = (await findTransaction(db, asked.id))!
  return scheduleNextCheck(needs, current, current)
}

/** Plans the next look at a payment that has ended, as it stands now. */
async function scheduleNextCheck(
  { db, now }: PayNeeds,
  asked: TransactionRow,
  current: TransactionRow,
): Promise<TransactionRow> {
  await setNextCheck(db, asked, getNextCheckAt(current, now()))
  return current
}

function isPaymentExpired({ expiresAt }: TransactionRow, now: Date) {
  return expiresAt !== null && expiresAt <= now.toISOString()
}

function toChargeKey({ id: transactionId, providerReference: reference, ...row }: TransactionRow) {
  const { method, pixTxid, amountCents, totalCents } = row
  return { transactionId, method, pixTxid, reference, amountCents, totalCents }
}

function buildCharge(
  row: TransactionRow,
  { link, merchant, card }: ChargeDetails,
  notifyUrl: string,
): Charge {
  const common = {
    transactionId: row.id,
    totalCents: row.totalCents,
    amountCents: row.amountCents,
    title: link.title,
    merchant: { name: merchant.name, city: merchant.city },
    notifyUrl,
    payer: { name: row.payerName, email: row.payerEmail, taxId: row.payerTaxId },
  }
  if (row.method === 'pix') {
    return { ...common, method: 'pix', txid: row.pixTxid!, expiresAt: row.expiresAt! }
  }
  if (!card) throw new Error('A card payment needs a card')
  return { ...common, method: 'credit_card', installments: row.installments, card }
}
