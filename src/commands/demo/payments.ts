// Three months of payments: most are paid, some are declined and tried again, some run out, some go back.
// Each row as it stands in the end, each event as it stood when it was published: what transactions/
// writes, with its time in the past.

import { requireFound } from '../../database/found.ts'
import { newToken } from '../../database/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { quoteLink } from '../../payment-links/installments.ts'
import { toLinkEventData } from '../../payment-links/serialize.ts'
import {
  buildSandboxBrCode,
  SANDBOX_DECLINES,
  type SandboxChargeRow,
  toSandboxOutcome,
} from '../../providers/sandbox/outcomes.ts'
import { newEndToEndId, toSandboxReference } from '../../providers/sandbox/sandbox.ts'
import { texts } from '../../texts.ts'
import { toTransactionEventData } from '../../transactions/serialize.ts'
import { toVerdictChanges } from '../../transactions/settle.ts'
import { buildAttemptRow } from '../../transactions/transaction.ts'
import { payTwice, receivePix } from './incoming.ts'
import { buildDemoDispute, buildDemoRefund } from './reversals.ts'
import {
  addSeconds,
  addStep,
  type DemoRun,
  type DemoWorld,
  emitEvent,
  type Payment,
  updatePayment,
} from './run.ts'
import { type DemoLink, pickLink } from './shop.ts'
import { type DemoCustomer, generateVisits, pickCustomer } from './visitors.ts'

type Checkout = { at: Date; link: DemoLink; customer: DemoCustomer }
type PaymentForm = Pick<Parameters<typeof buildAttemptRow>[0], 'method' | 'quote' | 'card'>

const SCENARIO_WEIGHTS = {
  ...{ ok: 76, challenge: 9, funds: 5.5, generic: 3.5 },
  ...{ cvv: 2.2, expired: 1.3, fraud: 1.2, threeds_failed: 1.3 },
}
const BRAND_WEIGHTS = { visa: 44, mastercard: 40, elo: 11, amex: 5 }
const REFUND_REASONS = ['Pedido cancelado pelo cliente', 'Faltou um item', 'Cobrado em dobro']
/** What happens for certain, to the first payment that it can, so many days ago. */
const ONE_TIME_EVENTS = {
  ...{ held: 3, refunded: 3, contested: 5 },
  ...{ overpaid: 6, late: 12, chargedBack: 41 },
}

/** Links that sell out are completed. */
export function generatePayments(world: DemoWorld): DemoRun {
  const { random, links, customers, now } = world
  const books = {
    ...{ payments: [], steps: [], events: [], refunds: [], disputes: [] },
    ...{ charges: [], incoming: [] },
  }
  const run = { ...world, ...books, oneTimeEvents: new Map(Object.entries(ONE_TIME_EVENTS)) }
  for (const { row } of links) {
    const data = { paymentLink: toLinkEventData(row) }
    if (row.expiresAt) emitEvent(run, 'payment_link.expired', new Date(row.expiresAt), data)
  }
  for (const at of generateVisits(random, now)) {
    const link = pickLink(random, links, at)
    const customer = pickCustomer(random, customers, link.row.tags)
    const paid = simulateCheckout(run, { at, link, customer })
    if (paid) simulateReversal(run, paid)
  }
  const at = new Date(now.getTime() - 4 * MINUTE_MS)
  startPix(run, { at, link: pickLink(random, links, at), customer: random.pick(customers) })
  return run
}

/** The payment that was approved, if one was. */
function simulateCheckout(run: DemoRun, checkout: Checkout) {
  const { random } = run
  const { methods, maxPayments } = checkout.link.row
  if (!methods.includes('credit_card') || random.chance(0.58)) return simulatePix(run, checkout)
  const paid = simulateCard(run, checkout)
  if (paid || maxPayments !== null || random.chance(0.4)) return paid
  return simulatePix(run, { ...checkout, at: addSeconds(checkout.at, random.integer(120, 360)) })
}

function simulatePix(run: DemoRun, checkout: Checkout) {
  const { random } = run
  const payment = startPix(run, checkout)
  const seconds = random.chance(0.7) ? random.integer(20, 90) : random.integer(90, 900)
  const isLate = claimOnce(run, 'late', checkout.at)
  const at = addSeconds(checkout.at, isLate ? 3_600 : seconds)
  if (claimOnce(run, 'held', checkout.at)) return holdPayment(run, payment, at)
  if (isLate || random.chance(0.13)) {
    const expiry = new Date(requireFound(payment.row.expiresAt))
    updatePayment(run, payment, expiry, { status: 'expired' })
    if (!isLate) return
  }
  const paid = settlePayment(run, payment, at, 'ok')
  if (!paid || !claimOnce(run, 'overpaid', checkout.at)) return paid
  payTwice(run, paid, addSeconds(at, 45))
  return
}

function simulateCard(run: DemoRun, checkout: Checkout) {
  const { random, company } = run
  const quotes = quoteLink(checkout.link.row, company)
  const quote = random.chance(0.35) ? requireFound(quotes[0]) : random.pick(quotes)
  const brand = random.pickWeighted(Object.entries(BRAND_WEIGHTS))
  const card = { brand, last4: random.digits(4), holder: checkout.customer.name.toUpperCase() }
  const payment = startPayment(run, checkout, { method: 'credit_card', quote, card })
  const scenario = random.pickWeighted(Object.entries(SCENARIO_WEIGHTS))
  const isChallenge = scenario === 'challenge'
  const seconds = isChallenge ? random.integer(15, 80) : random.integer(1, 3)
  if (isChallenge) addStep(run, payment, addSeconds(checkout.at, 1), 'challenge')
  return settlePayment(run, payment, addSeconds(checkout.at, seconds), scenario)
}

/** The bank's book says how the payment ends, which is answered if that is an approval. */
function settlePayment(run: DemoRun, payment: Payment, at: Date, scenario: string) {
  const { row } = payment
  const isPix = row.method === 'pix'
  const charge = recordCharge(run, payment, at, scenario)
  const outcome = toSandboxOutcome(charge, '', at)
  if (outcome.status !== 'approved' && outcome.status !== 'declined') return
  if (outcome.status === 'approved' && outcome.received) {
    const { endToEndId: pixEndToEndId, paidAt: approvedAt } = receivePix(run, payment, charge)
    const paidLate = row.expiresAt !== null && approvedAt > row.expiresAt
    updatePayment(run, payment, at, { status: 'approved', approvedAt, paidLate, pixEndToEndId })
  } else {
    updatePayment(run, payment, at, toVerdictChanges(outcome))
  }
  if (outcome.status === 'declined') return
  const source = isPix ? 'notification' : scenario === 'challenge' && 'reconciliation'
  if (source) addStep(run, payment, at, 'settled', { status: 'approved', source })
  completeSoldOutLink(run, payment, at)
  return payment
}

function recordCharge(run: DemoRun, { row }: Payment, at: Date, scenario: string) {
  const charge: SandboxChargeRow = {
    ...{ reference: toSandboxReference(row.id), scenario, amountCents: row.totalCents },
    status: scenario in SANDBOX_DECLINES ? 'declined' : 'approved',
    eci: row.cardBrand === 'mastercard' ? '02' : '05',
    endToEndId: row.method === 'pix' ? newEndToEndId(at) : null,
    ...{ challengeToken: null, paidAt: at.toISOString(), createdAt: row.createdAt },
  }
  run.charges.push(charge)
  return charge
}

/** Less came in than was asked for. */
function holdPayment(run: DemoRun, payment: Payment, at: Date) {
  const { totalCents } = payment.row
  const receivedCents = totalCents - 1_000
  const charge = recordCharge(run, payment, at, 'ok')
  charge.amountCents = receivedCents
  const { endToEndId: pixEndToEndId } = receivePix(run, payment, charge)
  const holdReason = texts.holds.amountDiffers(receivedCents, totalCents)
  updatePayment(run, payment, at, { pixEndToEndId, holdReason, receivedCents })
  const { row, link } = payment
  const data = toTransactionEventData(row, link.row, run.checkoutUrl)
  emitEvent(run, 'transaction.held', at, data)
  addStep(run, payment, at, 'held', { receivedCents, totalCents })
}

function completeSoldOutLink(run: DemoRun, { row: { createdAt }, link }: Payment, at: Date) {
  const { id, maxPayments } = link.row
  const paid = run.payments.filter((row) => row.paymentLinkId === id && row.approvedAt)
  if (paid.length !== maxPayments) return
  link.payableUntil = createdAt
  Object.assign(link.row, { status: 'completed', updatedAt: at.toISOString() })
  emitEvent(run, 'payment_link.completed', at, { paymentLink: toLinkEventData(link.row) })
}

/** A few payments do not stay: the customer gets some or all of it back, or the bank takes it. */
function simulateReversal(run: DemoRun, payment: Payment) {
  const { random, now } = run
  const { method, approvedAt, paidLate, totalCents } = payment.row
  const at = new Date(Date.parse(requireFound(approvedAt)) + random.integer(2, 80) * HOUR_MS)
  if (paidLate || at.getTime() > now.getTime() - DAY_MS) return
  if (method === 'credit_card' && claimOnce(run, 'chargedBack', at)) {
    run.disputes.push(buildDemoDispute(payment.row, at, 'lost'))
    updatePayment(run, payment, at, { status: 'charged_back', chargedBackCents: totalCents })
  } else if (method === 'pix' && claimOnce(run, 'contested', at)) {
    run.disputes.push(buildDemoDispute(payment.row, at, 'open'))
  } else if (claimOnce(run, 'refunded', at) || random.chance(0.028)) {
    refundPayment(run, payment, at)
  }
}

function refundPayment(run: DemoRun, payment: Payment, at: Date) {
  const { totalCents } = payment.row
  const parts = run.random.integer(1, 4)
  const amountCents = Math.min(Math.ceil(totalCents / parts / 100) * 100, totalCents)
  const reason = run.random.pick(REFUND_REASONS)
  const pix = run.incoming.find(({ transactionId }) => transactionId === payment.row.id)
  if (pix) pix.refundedCents = amountCents
  const refund = {
    ...buildDemoRefund(payment.row, at, { amountCents, reason }),
    incomingPaymentId: pix?.id ?? null,
  }
  run.refunds.push(refund)
  const status = parts === 1 ? 'refunded' : 'partially_refunded'
  updatePayment(run, payment, at, { refundedCents: amountCents, status }, refund)
}

/** A Pix payment whose code the payer sees. */
function startPix(run: DemoRun, checkout: Checkout) {
  const quote = requireFound(quoteLink(checkout.link.row, run.company)[0])
  const payment = startPayment(run, checkout, { method: 'pix', quote, card: null })
  const { row } = payment
  row.pixBrCode = buildSandboxBrCode(requireFound(row.pixTxid), row.totalCents, run.company)
  row.checkAt = row.expiresAt
  return payment
}

function startPayment(run: DemoRun, { link, customer, at: now }: Checkout, form: PaymentForm) {
  const { company, payments } = run
  const { id: customerId, ...payer } = customer
  const attempt = { link: link.row, company, customerId, payer, attemptToken: newToken(), now }
  const row = buildAttemptRow({ ...attempt, ...form })
  row.providerReference = toSandboxReference(row.id)
  payments.push(row)
  return { row, link }
}

/** Whether it is time for what happens once, and it has not happened yet. */
function claimOnce({ oneTimeEvents, now }: DemoRun, what: keyof typeof ONE_TIME_EVENTS, at: Date) {
  const daysAgo = (now.getTime() - at.getTime()) / DAY_MS
  return daysAgo <= (oneTimeEvents.get(what) ?? -1) && oneTimeEvents.delete(what)
}
