// Three months of payments: most are paid, some are declined and tried again, some run out, some go back.
import type { Company } from '../../companies/company.ts'
import { newToken } from '../../database/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { quoteLink } from '../../payment-links/installments.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { buildSandboxBrCode, SANDBOX_DECLINES } from '../../providers/sandbox/outcomes.ts'
import { newEndToEndId, toSandboxReference } from '../../providers/sandbox/sandbox.ts'
import { texts } from '../../texts.ts'
import { buildAttemptRow } from '../../transactions/transaction.ts'
import type { Catalog } from './catalog.ts'
import { addRefund, addStep, type Ledger, type LedgerEntry, updateEntry } from './ledger.ts'
import type { SeededRandom } from './random.ts'
import { type DemoCustomer, type DemoVisit, generateVisits, pickCustomer } from './visits.ts'

type DemoRun = {
  ledger: Ledger
  random: SeededRandom
  company: Company
  customers: DemoCustomer[]
  catalog: Catalog
  now: Date
}
type Checkout = DemoVisit & { link: LinkRow; customer: DemoCustomer }

const SCENARIO_WEIGHTS = {
  ...{ ok: 76, challenge: 9, funds: 5.5, generic: 3.5 },
  ...{ cvv: 2.2, expired: 1.3, fraud: 1.2, threeds_failed: 1.3 },
}
const BRAND_WEIGHTS = { visa: 44, mastercard: 40, elo: 11, amex: 5 }
const REFUND_REASONS = ['Pedido cancelado pelo cliente', 'Faltou um item', 'Cobrado em dobro']
/** What happens once: to the first payment that it can happen to, so many days ago. */
const ONE_TIME_EVENTS = { held: 3, late: 12, refundFailed: 17, chargedBack: 41 }

export async function generatePayments(run: DemoRun) {
  const { random, now, catalog, customers } = run
  const left = new Map(Object.entries(ONE_TIME_EVENTS))
  const claim = (what: keyof typeof ONE_TIME_EVENTS, { daysAgo }: DemoVisit) =>
    daysAgo <= (left.get(what) ?? -1) && left.delete(what)
  for (const visit of generateVisits(random, now)) {
    const link = catalog.pickLink(random, visit.at)
    const checkout = { ...visit, link, customer: pickCustomer(random, customers, link) }
    const paid = simulateCheckout(run, checkout, claim)
    if (!paid) continue
    await catalog.recordPayment(paid)
    simulateReversal(run, paid, visit, claim)
  }
  const at = new Date(now.getTime() - 4 * MINUTE_MS)
  const link = catalog.pickLink(random, at)
  startPix(run, { at, daysAgo: 0, link, customer: random.pick(customers) })
}

type Claim = (what: keyof typeof ONE_TIME_EVENTS, visit: DemoVisit) => boolean

/** The payment that was approved, if one was. */
function simulateCheckout(run: DemoRun, checkout: Checkout, claim: Claim) {
  const { random } = run
  const { methods, maxPayments } = checkout.link
  if (!methods.includes('credit_card') || random.chance(0.58)) {
    return simulatePix(run, checkout, claim)
  }
  const paid = simulateCard(run, checkout)
  if (paid || maxPayments !== null || random.chance(0.4)) return paid
  const at = addSeconds(checkout.at, random.integer(120, 360))
  return simulatePix(run, { ...checkout, at }, claim)
}

function simulatePix(run: DemoRun, checkout: Checkout, claim: Claim) {
  const { random, ledger } = run
  const entry = startPix(run, checkout)
  const { totalCents, expiresAt } = entry.row
  const seconds = random.chance(0.7) ? random.integer(20, 90) : random.integer(90, 900)
  const isLate = claim('late', checkout)
  const at = addSeconds(checkout.at, isLate ? 3_600 : seconds)
  const proof = { pixEndToEndId: newEndToEndId(at) }
  if (claim('held', checkout)) {
    const receivedCents = totalCents - 1_000
    const holdReason = texts.holds.amountDiffers(receivedCents, totalCents)
    updateEntry(ledger, entry, at, { ...proof, holdReason, receivedCents })
    addStep(ledger, entry, at, 'held', { receivedCents, totalCents })
    return
  }
  if (isLate || random.chance(0.13)) {
    const expiredAt = new Date(expiresAt!)
    updateEntry(ledger, entry, expiredAt, { status: 'expired' }, 'transaction.expired')
    if (!isLate) return
  }
  return approve(ledger, entry, at, { ...proof, paidLate: isLate }, 'notification')
}

function simulateCard(run: DemoRun, checkout: Checkout) {
  const { random, ledger, company } = run
  const quotes = quoteLink(checkout.link, company)
  const quote = random.chance(0.35) ? quotes[0]! : random.pick(quotes)
  const brand = random.weighted(Object.entries(BRAND_WEIGHTS))
  const card = { brand, last4: random.digits(4), holder: checkout.customer.name.toUpperCase() }
  const entry = startPayment(run, checkout, { method: 'credit_card', quote, card })
  const scenario = random.weighted(Object.entries(SCENARIO_WEIGHTS))
  const isChallenge = scenario === 'challenge'
  const isFailed = scenario === 'threeds_failed'
  const at = addSeconds(checkout.at, isChallenge ? random.integer(15, 80) : random.integer(1, 3))
  const proof = {
    threeDsStatus: isFailed ? 'failed' : 'authenticated',
    threeDsEci: isFailed ? null : brand === 'mastercard' ? '02' : '05',
    threeDsFlow: isChallenge ? 'challenge' : 'frictionless',
  } as const
  const decline = SANDBOX_DECLINES[scenario]
  if (decline) {
    const { code: declineCode, abecs: abecsCode, retryable } = decline
    const refusal = { status: 'declined', declineCode, abecsCode, retryable } as const
    updateEntry(ledger, entry, at, { ...proof, ...refusal }, 'transaction.declined')
    return
  }
  if (!isChallenge) return approve(ledger, entry, at, proof)
  addStep(ledger, entry, addSeconds(checkout.at, 1), 'challenge')
  return approve(ledger, entry, at, proof, 'reconciliation')
}

type Proof = Partial<LedgerEntry['row']>

/** @param source Who said so, unless the charge itself was answered with it. */
function approve(ledger: Ledger, entry: LedgerEntry, at: Date, proof: Proof, source?: string) {
  const approval = { ...proof, status: 'approved', approvedAt: at.toISOString() } as const
  updateEntry(ledger, entry, at, approval, 'transaction.approved')
  if (source) addStep(ledger, entry, at, 'settled', { status: 'approved', source })
  return entry
}

/** A Pix payment whose code the payer sees. */
function startPix(run: DemoRun, checkout: Checkout) {
  const quote = quoteLink(checkout.link, run.company)[0]!
  const entry = startPayment(run, checkout, { method: 'pix', quote, card: null })
  const { row } = entry
  row.pixBrCode = buildSandboxBrCode(row.pixTxid!, row.totalCents, run.company)
  row.checkAt = row.expiresAt
  return entry
}

type AttemptForm = Pick<Parameters<typeof buildAttemptRow>[0], 'method' | 'quote' | 'card'>

function startPayment(run: DemoRun, { link, customer, at }: Checkout, form: AttemptForm) {
  customer.firstSeenAt ??= at
  const { company, ledger } = run
  const { id: customerId, ...payer } = customer
  const attempt = { link, company, customerId, payer, attemptToken: newToken(), now: at }
  const row = buildAttemptRow({ ...attempt, ...form })
  row.providerReference = toSandboxReference(row.id)
  ledger.payments.push(row)
  return { row, link }
}

/** A few payments do not stay: the customer gets some or all of it back, or the bank takes it. */
function simulateReversal(run: DemoRun, paid: LedgerEntry, visit: DemoVisit, claim: Claim) {
  const { ledger, random, now } = run
  const { totalCents, method, approvedAt } = paid.row
  const at = new Date(Date.parse(approvedAt!) + random.integer(2, 80) * HOUR_MS)
  if (at.getTime() > now.getTime() - DAY_MS) return
  if (method === 'credit_card' && claim('chargedBack', visit)) {
    updateEntry(ledger, paid, at, { status: 'charged_back' }, 'transaction.charged_back')
    return
  }
  const failed = claim('refundFailed', visit)
  if (!failed && !random.chance(0.028)) return
  const part = Math.ceil(totalCents / random.integer(2, 5) / 100) * 100
  const amountCents = random.chance(0.5) ? totalCents : part
  addRefund(ledger, paid, at, { amountCents, reason: random.pick(REFUND_REASONS), failed })
}

function addSeconds(instant: Date, seconds: number) {
  return new Date(instant.getTime() + seconds * SECOND_MS)
}
