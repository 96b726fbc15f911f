// The walk of one payment: the intent is committed, the provider is asked, the verdict is settled. The
// provider is called outside any database transaction and knows the charge by our id, so whatever
// happens in between, asking it again tells how the charge ended.

import { setTimeout as sleep } from 'node:timers/promises'
import { findLinkById, type LinkRow } from '../payment-links/payment-link.ts'
import {
  type Approval,
  type CardToken,
  type Charge,
  type Outcome,
  ProviderDown,
  type Refusal,
} from '../providers/provider.ts'
import { admit, type Guard } from './create.ts'
import type { PayNeeds } from './needs.ts'
import { recordCode } from './pix-code.ts'
import { hasten, plan, postpone, recordChallenge } from './progress.ts'
import { nextCheckAt, OPEN } from './reconciliation/schedule.ts'
import { followReversals } from './refunds/reversals.ts'
import { settle, type Verdict } from './settle.ts'
import { failureOf, type Source, tellStep } from './timeline/steps.ts'
import { findByAttempt, findTransaction, type TransactionRow, UNTOUCHED_MS } from './transaction.ts'

const RETRY_DELAYS_MS = [200, 600]
const DOWN: Refusal = {
  status: 'declined',
  reference: null,
  declineCode: 'provider_error',
  abecsCode: '91',
  retryable: true,
}
/** The provider gave the charge up. */
const DROPPED: Refusal = { ...DOWN, abecsCode: null }
/** After this long without a trace at the provider, a charge never reached it. */
const LOST_MS = 60_000

type Order = {
  link: LinkRow
  merchant: { name: string; city: string }
  /** Used for this charge and not kept. */
  card: CardToken | null
}

export type Payment = Order & { row: TransactionRow; guard?: Guard | null }

/**
 * Pays once for each attempt token: the same token again answers with the first attempt, whose end may
 * still be out.
 */
export async function pay(needs: PayNeeds, { row, guard = null, ...order }: Payment) {
  const written = await admit(needs.db, order.link, { row, guard })
  if (typeof written !== 'boolean') return written
  if (!written) return (await findByAttempt(needs.db, row.paymentLinkId, row.attemptToken))!
  return charge(needs, row, order)
}

/** Asks the provider how a charge stands and applies its answer; `source` is what made us ask. */
export async function check(
  needs: PayNeeds,
  row: TransactionRow,
  source: Source = 'reconciliation',
): Promise<TransactionRow> {
  const account = await needs.providers.open(row.companyId, row.provider)
  const outcome = await account.find(keyOf(row), needs.now())
  return apply(needs, row, outcome, source)
}

/** Where a payment's money is. Throws ProviderDown when the company has gone live, or back, since. */
export async function accountOf(
  { providers }: Pick<PayNeeds, 'providers'>,
  { companyId, provider, testMode }: TransactionRow,
) {
  const account = await providers.open(companyId, provider)
  if (account.testMode !== testMode) throw new ProviderDown('It is another account by now')
  return account
}

async function charge(needs: PayNeeds, row: TransactionRow, order: Order) {
  const outcome = await send(needs, row, order)
  return outcome ? apply(needs, row, outcome, 'charge') : row
}

/** Undefined when nobody knows what became of the charge: the row stays open until `check` does. */
async function send(needs: PayNeeds, row: TransactionRow, order: Order) {
  const delays = needs.retryDelaysMs ?? RETRY_DELAYS_MS
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce(needs, row, order)
    } catch (error) {
      needs.log.warn({ err: error, transactionId: row.id }, 'a charge failed without a verdict')
      const details = { reason: failureOf(error) }
      await tellStep(needs, row.id, { kind: 'provider_failed', details })
      if (!(error instanceof ProviderDown)) return undefined
      const delay = delays[tries]
      if (delay === undefined) return DOWN
      await sleep(delay)
    }
  }
}

async function sendOnce(needs: PayNeeds, row: TransactionRow, order: Order) {
  const account = await accountOf(needs, row)
  return account.charge(chargeOf(row, order, account.notifyUrl), needs.now())
}

async function apply(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: Outcome,
  source: Source,
): Promise<TransactionRow> {
  const { db } = needs
  const now = needs.now()
  if (outcome.status === 'approved') return approve(needs, row, outcome, source)
  if (!OPEN.includes(row.status)) return watchOn(needs, row, row)
  switch (outcome.status) {
    case 'pending':
      return applyPending(needs, row, outcome, source)
    case 'awaiting_authentication':
      await tellStep(needs, row.id, { kind: 'challenge', once: true })
      return recordChallenge(db, row, outcome, now)
    case 'processing':
      await tellStep(needs, row.id, { kind: 'processing', once: true })
      return postpone(db, row, now, outcome.reference)
    case 'unknown':
      return applyUnknown(needs, row, now)
    case 'canceled':
      return end(needs, row, row.method === 'pix' ? outcome : DROPPED, source)
    case 'declined':
      return end(needs, row, outcome, source)
  }
}

async function applyPending(
  needs: PayNeeds,
  row: TransactionRow,
  outcome: Outcome & { status: 'pending' },
  source: Source,
) {
  const now = needs.now()
  if (!row.pixBrCode) return recordCode(needs.db, row, outcome, now)
  if (isPast(row, now)) return expire(needs, row)
  // A bank that has told of money before it shows it is asked again soon.
  return postpone(needs.db, source === 'notification' ? { ...row, checks: 0 } : row, now)
}

async function applyUnknown(needs: PayNeeds, row: TransactionRow, now: Date) {
  if (row.method === 'pix') {
    if (isPast(row, now)) return expire(needs, row)
    if (row.pixBrCode) return postpone(needs.db, row, now)
    const { link, company } = (await findLinkById(needs.db, row.paymentLinkId))!
    return charge(needs, row, { link, merchant: company, card: null })
  }
  const lost = now.getTime() - Date.parse(row.createdAt) >= LOST_MS
  return lost ? end(needs, row, DOWN, 'reconciliation') : postpone(needs.db, row, now)
}

function expire(needs: PayNeeds, row: TransactionRow) {
  return end(needs, row, { status: 'expired' }, 'reconciliation')
}

async function end(needs: PayNeeds, row: TransactionRow, verdict: Verdict, source: Source) {
  const { db, checkoutUrl, now, mail } = needs
  const ended = await settle(db, row, verdict, { checkoutUrl, now: now(), source, mail })
  return ended ?? (await findTransaction(db, row.id))!
}

async function approve(needs: PayNeeds, row: TransactionRow, approval: Approval, source: Source) {
  const current = await end(needs, row, approval, source)
  if (current.status === 'declined') return takeBack(needs, row, current, approval)
  return watchOn(needs, row, await followReversals(needs, current, approval, source))
}

/** Money taken for a payment that we have called declined goes back. */
async function takeBack(
  needs: PayNeeds,
  asked: TransactionRow,
  declined: TransactionRow,
  { reference, paidCents, refundedCents = 0 }: Approval,
) {
  if (refundedCents >= paidCents) return watchOn(needs, asked, declined)
  const { db, log, now } = needs
  log.error({ transactionId: asked.id }, 'approved after it was declined: canceling the charge')
  // Until it is done: whoever dies meanwhile has it done by somebody else.
  await hasten(db, asked.id, new Date(now().getTime() + UNTOUCHED_MS).toISOString())
  const account = await accountOf(needs, asked)
  await account.cancel({ ...keyOf(asked), reference }, now())
  await tellStep(needs, asked.id, { kind: 'voided' })
  const current = (await findTransaction(db, asked.id))!
  return watchOn(needs, current, current)
}

/** Plans the next look at a payment that has ended, as it stands now. */
async function watchOn(
  { db, now }: PayNeeds,
  asked: TransactionRow,
  current: TransactionRow,
): Promise<TransactionRow> {
  await plan(db, asked, nextCheckAt(current, now()))
  return current
}

function isPast({ expiresAt }: TransactionRow, now: Date) {
  return expiresAt !== null && expiresAt <= now.toISOString()
}

function keyOf({ id: transactionId, providerReference: reference, ...row }: TransactionRow) {
  const { method, pixTxid, amountCents, totalCents } = row
  return { transactionId, method, pixTxid, reference, amountCents, totalCents }
}

function chargeOf(row: TransactionRow, { link, merchant, card }: Order, notifyUrl: string): Charge {
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
