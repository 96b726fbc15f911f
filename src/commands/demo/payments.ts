// Three months of payments: most are paid, some are declined and tried again, some run out, some go back.
import type { Company } from '../../companies/company.ts'
import { newToken } from '../../database/id.ts'
import { quoteLink } from '../../payment-links/installments.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import type { Provider } from '../../providers/provider.ts'
import { buildAttemptRow } from '../../transactions/transaction.ts'
import type { Catalog } from './catalog.ts'
import * as book from './ledger.ts'
import type { DemoCustomer } from './people.ts'
import type { SeededRandom } from './random.ts'
import { DEMO_DAYS, generateVisits, pickCustomer } from './visits.ts'

type DemoRun = {
  book: book.Ledger
  chance: SeededRandom
  company: Company
  customers: DemoCustomer[]
  shelf: Catalog
  provider: Provider
  now: Date
  happened: Set<keyof typeof ONE_TIME_EVENTS>
}

type DemoVisit = { link: LinkRow; customer: DemoCustomer; at: Date; daysAgo: number }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SCENARIO_WEIGHTS = [
  ...([
    ['ok', 76],
    ['challenge', 9],
    ['funds', 5.5],
    ['generic', 3.5],
  ] as const),
  ...([
    ['cvv', 2.2],
    ['expired', 1.3],
    ['fraud', 1.2],
    ['threeds_failed', 1.3],
  ] as const),
]
const BRAND_WEIGHTS = [
  ['visa', 44],
  ['mastercard', 40],
  ['elo', 11],
  ['amex', 5],
] as const
const REFUND_REASONS = [
  'Pedido cancelado pelo cliente',
  'Faltou um item',
  'Entrega atrasada',
  'Cobrado em dobro',
]
/** What happens once: to the first payment, of the method that it can happen to, so many days ago. */
const ONE_TIME_EVENTS = { held: 3, late: 12, refundFailed: 17, chargedBack: 41 }

export async function generatePayments(given: Omit<DemoRun, 'happened'>) {
  const needs: DemoRun = { ...given, happened: new Set() }
  const { now, chance } = needs
  for (let daysAgo = DEMO_DAYS; daysAgo >= 0; daysAgo--) {
    for (const visit of generateVisits(chance, now, daysAgo)) {
      if (visit.at.getTime() > now.getTime() - HOUR_MS) continue
      const link = needs.shelf.choose(chance, visit.at)
      const customer = pickCustomer(chance, needs.customers, link)
      await simulateVisit(needs, { ...visit, link, customer })
    }
  }
  const last = { at: new Date(now.getTime() - 4 * MINUTE_MS), daysAgo: 0 }
  const link = needs.shelf.choose(chance, last.at)
  await issuePixCode(needs, { ...last, link, customer: chance.pick(needs.customers) })
}

async function simulateVisit(needs: DemoRun, visit: DemoVisit) {
  const { chance } = needs
  const { methods } = visit.link
  const card = methods.includes('credit_card') && chance.is(0.42)
  if (!card) return simulatePixPayment(needs, visit)
  if (simulateCardPayment(needs, visit) || visit.link.maxPayments !== null || !chance.is(0.6))
    return
  const at = new Date(visit.at.getTime() + chance.between(2, 6) * MINUTE_MS)
  await simulatePixPayment(needs, { ...visit, at })
}

async function simulatePixPayment(needs: DemoRun, visit: DemoVisit) {
  const { chance, shelf } = needs
  const entry = await issuePixCode(needs, visit)
  const quick = chance.weighted([
    [chance.between(20, 90), 7],
    [chance.between(90, 900), 3],
  ] as const)
  const paidAt = new Date(visit.at.getTime() + quick * 1_000)
  if (claimOneTimeEvent(needs, 'held', visit.daysAgo)) {
    return book.holdEntry(needs.book, entry, entry.row.totalCents - 1_000, paidAt)
  }
  if (claimOneTimeEvent(needs, 'late', visit.daysAgo)) {
    const expired = book.expireEntry(needs.book, entry)
    const at = new Date(visit.at.getTime() + HOUR_MS)
    return shelf.countPaid(book.approvePix(needs.book, expired, at))
  }
  if (chance.is(0.13)) return book.expireEntry(needs.book, entry)
  const paid = book.approvePix(needs.book, entry, paidAt)
  shelf.countPaid(paid)
  simulateReversal(needs, paid, visit.daysAgo)
}

/** Whether it was approved. */
function simulateCardPayment(needs: DemoRun, visit: DemoVisit) {
  const { chance, company } = needs
  const quotes = quoteLink(visit.link, company)
  const several = quotes.length > 1 && chance.is(0.65)
  const quote = several ? chance.pick(quotes.slice(1)) : quotes[0]!
  const brand = chance.weighted(BRAND_WEIGHTS)
  const card = { brand, last4: chance.digits(4), holder: visit.customer.name.toUpperCase() }
  const entry = startPayment(needs, visit, { method: 'credit_card', quote, card })
  const scenario = chance.weighted(SCENARIO_WEIGHTS)
  const challenge = scenario === 'challenge'
  const seconds = challenge ? chance.between(15, 80) : chance.between(1, 3)
  const at = new Date(visit.at.getTime() + seconds * 1_000)
  if (!challenge && scenario !== 'ok') {
    book.declineCard(needs.book, entry, scenario, at)
    return false
  }
  const paid = book.approveCard(needs.book, entry, at, challenge)
  needs.shelf.countPaid(paid)
  simulateReversal(needs, paid, visit.daysAgo)
  return true
}

/** A Pix payment whose code the payer sees. */
async function issuePixCode(needs: DemoRun, visit: DemoVisit) {
  const { company, provider } = needs
  const quote = quoteLink(visit.link, company)[0]!
  const { row } = startPayment(needs, visit, { method: 'pix', quote, card: null })
  const { id: transactionId, totalCents, pixTxid, expiresAt } = row
  const { name, city } = company
  const code = await provider.charge(
    {
      method: 'pix',
      transactionId,
      ...{ totalCents, amountCents: row.amountCents, title: visit.link.title },
      txid: pixTxid!,
      expiresAt: expiresAt!,
      merchant: { name, city },
      notifyUrl: '',
      payer: { name: row.payerName, email: row.payerEmail, taxId: row.payerTaxId },
    },
    visit.at,
  )
  if (code.status !== 'pending') throw new Error('The sandbox gave no Pix code')
  const { reference: providerReference, pixBrCode } = code
  const shown = { ...row, providerReference, pixBrCode, checkAt: expiresAt }
  return book.addEntry(needs.book, { row: shown, link: visit.link })
}

type AttemptForm = Pick<Parameters<typeof buildAttemptRow>[0], 'method' | 'quote' | 'card'>

function startPayment(needs: DemoRun, { link, customer, at }: DemoVisit, form: AttemptForm) {
  const { company } = needs
  customer.firstSeenAt ??= at
  const { id: customerId, ...payer } = customer
  const attempt = { attemptToken: newToken(), now: at }
  const row = buildAttemptRow({ link, company, customerId, payer, ...form, ...attempt })
  return book.addEntry(needs.book, { row, link })
}

/** A few payments do not stay: the customer gets some or all of it back, or the bank takes it. */
function simulateReversal(needs: DemoRun, paid: book.LedgerEntry, daysAgo: number) {
  const { book: into, chance, now } = needs
  const { totalCents, method, approvedAt } = paid.row
  const at = new Date(Date.parse(approvedAt!) + chance.between(2, 80) * HOUR_MS)
  if (at.getTime() > now.getTime() - DAY_MS) return
  if (method === 'credit_card' && claimOneTimeEvent(needs, 'chargedBack', daysAgo)) {
    return book.chargeBackEntry(into, paid, at)
  }
  const failed = claimOneTimeEvent(needs, 'refundFailed', daysAgo)
  if (!failed && !chance.is(0.028)) return
  const part = Math.max(1, Math.round((totalCents * chance.between(2, 6)) / 100_000)) * 1_000
  const amountCents = chance.is(0.5) ? totalCents : part
  book.refundEntry(into, paid, { amountCents, reason: chance.pick(REFUND_REASONS), failed }, at)
}

function claimOneTimeEvent(
  { happened }: DemoRun,
  what: keyof typeof ONE_TIME_EVENTS,
  daysAgo: number,
) {
  if (happened.has(what) || daysAgo > ONE_TIME_EVENTS[what]) return false
  happened.add(what)
  return true
}
