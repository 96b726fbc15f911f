// Creates a year of payments through the functions that payers and banks use, each at its own time in the past. Most
// are paid, some declined, expired or refunded, so books, events and histories look real.
import type { Company } from '../../companies/company.ts'
import { requireFound } from '../../database/found.ts'
import { newId, newIdAt } from '../../database/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { quoteLink } from '../../payment-links/installments.ts'
import { findPaymentLink, getLinkStatus, type LinkRow } from '../../payment-links/payment-link.ts'
import { paySandboxPix } from '../../providers/sandbox/sandbox.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import { checkPayment } from '../../transactions/check.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { executeRefund } from '../../transactions/refunds/execute.ts'
import { settle } from '../../transactions/settle.ts'
import type { SimulatedPayment } from '../../transactions/simulation/schema.ts'
import { simulateAnswer, simulateLinkPayment } from '../../transactions/simulation/simulate.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { type buildDemoPayers, DEMO_DAYS } from './shop.ts'

type DemoWorld = {
  needs: PayNeeds
  company: Company
  links: LinkRow[]
  payers: ReturnType<typeof buildDemoPayers>
  now: Date
  onProgress(progress: string): void
}

const VISITS = 290
const OPENING_HOUR = 7
const OPEN_HOURS = 13
const FAILURES = ['funds', 'generic', 'cvv', 'funds', 'expired', 'fraud', 'threeds_failed'] as const
const REASONS = ['Pedido cancelado pelo cliente', 'Faltou um item', 'Cobrado em dobro']
const MISSING_CENTS = 1_000
const RESPONSE_DAYS = 9

export async function simulatePayments(world: DemoWorld) {
  const visits = listVisits(world.now)
  for (const [i, at] of visits.entries()) {
    world.onProgress(`payments: ${i} of ${visits.length}`)
    await simulateVisit(world, i, at)
  }
  await simulateRarities(world)
}

/** Returns values between 0 and 1 that look random and are the same each time. */
function spread(i: number, step = 0.618034) {
  return (i * step) % 1
}

/** Picks earlier entries more often. */
function pickEarly<T>(list: T[], share: number): T {
  return requireFound(list[Math.floor(list.length * share ** 2)])
}

/** Lists visits in order, more of them each month, up to an hour ago. */
function listVisits(now: Date) {
  const visits = Array.from({ length: VISITS }, (_, i) => {
    const daysAgo = Math.floor((DEMO_DAYS - 1) * (1 - Math.sqrt(i / VISITS)))
    const opening = Date.parse(getDayStart(addDays(toDay(now), -daysAgo))) + OPENING_HOUR * HOUR_MS
    return opening + Math.floor(spread(i) * OPEN_HOURS * HOUR_MS)
  })
  const past = visits.filter((ms) => ms <= now.getTime() - HOUR_MS)
  return past.toSorted((a, b) => a - b).map((ms) => new Date(ms))
}

async function simulateVisit(world: DemoWorld, i: number, at: Date) {
  const { needs, company, links } = world
  const made = links.filter(({ createdAt }) => new Date(createdAt) < at)
  const open = made.filter((link) => getLinkStatus(link, at) === 'active')
  const link = pickEarly(open, spread(i))
  const isCard = link.methods.includes('credit_card') && i % 5 < 2
  const later = addMs(at, 20 * SECOND_MS + spread(i, 0.7549) * 3 * MINUTE_MS)
  const row = await startPayment(world, at, link, i, isCard ? chooseScenario(i) : 'pending')
  if (!isCard && i % 8 === 3) return expirePix(world, row)
  const ended = isCard ? row : await simulateAnswer(atTime(needs, later), row, true)
  if (ended.status !== 'approved') return
  // The payment may have completed the link.
  if (link.maxPayments) Object.assign(link, await findPaymentLink(needs.db, company.id, link.id))
  const part = 1 + (i % 3)
  if (i % 29 === 7)
    await refund(world, ended, addMs(at, HOUR_MS), Math.ceil(ended.totalCents / part))
}

function chooseScenario(i: number) {
  return i % 15 === 0 ? requireFound(FAILURES[(i / 15) % FAILURES.length]) : 'ok'
}

/** Creates each rare case once, so that every page has something to show. */
async function simulateRarities(world: DemoWorld) {
  const { needs, links, now } = world
  const daysAgo = (days: number) => addMs(now, -days * DAY_MS)
  const link = requireFound(links[1])
  const start = (days: number, scenario?: SimulatedPayment['scenario']) =>
    startPayment(world, daysAgo(days), link, Math.round(days), scenario)

  const held = await start(3)
  const shortCents = held.totalCents - MISSING_CENTS
  const heldAt = addMs(daysAgo(3), MINUTE_MS)
  await paySandboxPix(needs.db, { transactionId: held.id, amountCents: shortCents }, heldAt)
  await checkPayment(atTime(needs, heldAt), held)

  const late = await start(12)
  await expirePix(world, late)
  await simulateAnswer(atTime(needs, addMs(daysAgo(12), 2 * HOUR_MS)), late, true)

  const contested = await start(8)
  const paidAt = addMs(daysAgo(8), MINUTE_MS)
  const paid = await simulateAnswer(atTime(needs, paidAt), contested, true)
  await dispute(world, paid, daysAgo(5), 'open')
  await dispute(world, await start(20, 'ok'), daysAgo(17), 'lost')

  const returned = await start(2, 'ok')
  await refund(world, returned, daysAgo(0.2), returned.totalCents)

  await start((4 * MINUTE_MS) / DAY_MS)
}

/** Starts a Pix that waits for its payer or, with a scenario, a card payment. */
async function startPayment(
  { needs, company, payers }: DemoWorld,
  at: Date,
  link: LinkRow,
  i: number,
  scenario: SimulatedPayment['scenario'] = 'pending',
) {
  const method = scenario === 'pending' ? 'pix' : 'credit_card'
  const quotes = quoteLink(link, company)
  const { installments } = requireFound(quotes[method === 'pix' ? 0 : i % quotes.length])
  return simulateLinkPayment(atTime(needs, at), {
    id: newId(),
    company,
    link,
    method,
    scenario,
    installments,
    payer: pickEarly(payers, spread(i, 0.7549)),
  })
}

async function expirePix({ needs }: DemoWorld, row: TransactionRow) {
  const at = addMs(new Date(requireFound(row.expiresAt)), SECOND_MS)
  await checkPayment(atTime(needs, at), row)
}

async function refund({ needs }: DemoWorld, row: TransactionRow, at: Date, amountCents: number) {
  const { id: transactionId, companyId } = row
  const reason = requireFound(REASONS[amountCents % REASONS.length])
  const request = { id: newIdAt(at.getTime()), companyId, transactionId, amountCents, reason }
  await executeRefund(atTime(needs, at), request)
}

async function dispute(
  { needs }: DemoWorld,
  row: TransactionRow,
  now: Date,
  status: 'open' | 'lost',
) {
  const isPix = row.method === 'pix'
  const reported = {
    reference: `sbx_${row.id}`,
    kind: isPix ? ('med' as const) : ('card' as const),
    endToEndId: row.pixEndToEndId,
    reason: isPix ? 'MED_FRAUDE' : null,
    amountCents: row.totalCents,
    status,
    openedAt: now.toISOString(),
    closedAt: status === 'open' ? null : now.toISOString(),
    respondBy: addMs(now, RESPONSE_DAYS * DAY_MS).toISOString(),
  }
  const { totalCents: paidCents } = row
  const paid = isPix ? { received: [] } : { paidCents, paidAt: row.approvedAt ?? row.createdAt }
  const answer = { status: 'approved', reference: row.providerReference ?? row.id } as const
  const outcome = { ...answer, ...paid, disputes: [reported] }
  await settle(atTime(needs, now), row, { kind: 'answer', outcome, source: 'reconciliation' })
}

function atTime(needs: PayNeeds, at: Date): PayNeeds {
  return { ...needs, now: () => at }
}

function addMs(at: Date, ms: number) {
  return new Date(at.getTime() + Math.round(ms))
}
