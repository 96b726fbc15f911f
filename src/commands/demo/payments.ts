// Three months of payments, by the functions that payers and banks set off, each with its own time in the past: most
// are paid, some are declined, some run out, some go back. So books, events and histories are what they always are.

import type { Company } from '../../companies/company.ts'
import { eq } from '../../database/drizzle.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { newIdAt, newToken } from '../../database/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { sandboxCharges } from '../../database/tables.ts'
import { quoteLink } from '../../payment-links/installments.ts'
import { buildTestCardToken } from '../../providers/sandbox/outcomes.ts'
import { newEndToEndId, paySandboxPix } from '../../providers/sandbox/sandbox.ts'
import { checkPayment } from '../../transactions/check.ts'
import { createPayment } from '../../transactions/create.ts'
import { recordDisputes } from '../../transactions/disputes/dispute.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { applyOutcome } from '../../transactions/outcome.ts'
import { executeRefund } from '../../transactions/refunds/execute.ts'
import { simulateAnswer, simulatePayment } from '../../transactions/simulation/simulate.ts'
import { buildAttemptRow, type TransactionRow } from '../../transactions/transaction.ts'
import type { SeededRandom } from './random.ts'
import { type DemoLink, pickLink } from './shop.ts'
import { type DemoPayer, generateVisits, pickPayer } from './visitors.ts'

export type DemoWorld = {
  needs: PayNeeds
  random: SeededRandom
  company: Company
  links: DemoLink[]
  payers: DemoPayer[]
  now: Date
  onProgress(progress: string): void
}

const CARD_SCENARIOS = [
  ['ok', 76],
  ['challenge', 9],
  ['funds', 5.5],
  ['generic', 3.5],
  ['cvv', 2.2],
  ['expired', 1.3],
  ['fraud', 1.2],
  ['threeds_failed', 1.3],
] as const
const BRANDS = [
  ['visa', 44],
  ['mastercard', 40],
  ['elo', 11],
  ['amex', 5],
] as const
const REFUND_REASONS = ['Pedido cancelado pelo cliente', 'Faltou um item', 'Cobrado em dobro']
const MISSING_CENTS = 1_000
const RESPONSE_DAYS = 9

export async function simulatePayments(world: DemoWorld) {
  const { random, now } = world
  const visits = generateVisits(random, now)
  for (const [i, at] of visits.entries()) {
    world.onProgress(`payments: ${i} of ${visits.length}`)
    const paid = await simulateVisit(world, at)
    const refundedAt = addMs(at, random.integer(2, 80) * HOUR_MS)
    if (paid && refundedAt < now && random.chance(0.03)) await refund(world, paid, refundedAt)
  }
  await simulateRarities(world)
}

/** What happens once for certain, so that each page has something to show. */
async function simulateRarities(world: DemoWorld) {
  const { needs, now } = world
  const daysAgo = (days: number) => addMs(now, -days * DAY_MS)

  const held = await startPayment(world, daysAgo(3), 'pix')
  await receivePix(world, held, addMs(daysAgo(3), MINUTE_MS), held.totalCents - MISSING_CENTS)

  const doubled = await startPayment(world, daysAgo(6), 'pix')
  await payTwice(world, doubled, addMs(daysAgo(6), MINUTE_MS))

  const late = await startPayment(world, daysAgo(12), 'pix')
  await expirePix(world, late)
  await simulatePayment(atTime(needs, addMs(daysAgo(12), 2 * HOUR_MS)), late)

  const contested = await startPayment(world, daysAgo(8), 'pix')
  const paid = await simulatePayment(atTime(needs, addMs(daysAgo(8), MINUTE_MS)), contested)
  await dispute(world, paid, daysAgo(5), 'open')

  const lost = await startPayment(world, daysAgo(44), 'credit_card')
  await dispute(world, lost, daysAgo(41), 'lost')

  const returned = await startPayment(world, daysAgo(2), 'credit_card')
  await refund(world, returned, daysAgo(0.2), returned.totalCents)

  await startPayment(world, addMs(now, -4 * MINUTE_MS), 'pix')
}

/** The payment that was approved, if one was. */
async function simulateVisit(world: DemoWorld, at: Date): Promise<TransactionRow | undefined> {
  const { random, needs, links } = world
  const link = pickLink(random, links, at)
  const isPix = !link.row.methods.includes('credit_card') || random.chance(0.58)
  const scenario = isPix ? 'ok' : random.pickWeighted(CARD_SCENARIOS)
  const row = await startPayment(world, at, isPix ? 'pix' : 'credit_card', link, scenario)
  const answeredAt = addMs(at, random.integer(20, 200) * SECOND_MS)
  if (isPix && random.chance(0.13)) {
    await expirePix(world, row)
    return undefined
  }
  const later = atTime(needs, answeredAt)
  const isAsked = row.status === 'awaiting_authentication'
  const ended = isPix || isAsked ? await simulateAnswer(later, row, true) : row
  if (ended.status !== 'approved') return undefined
  noteSale(link, ended)
  return ended
}

/** A link that is sold out is paid no more. */
function noteSale(link: DemoLink, { createdAt }: TransactionRow) {
  link.sold++
  if (link.sold === link.row.maxPayments) link.payableUntil = createdAt
}

/** As the checkout does; a card has its answer then, unless its bank asks the payer first. */
async function startPayment(
  { random, needs, company, links, payers }: DemoWorld,
  at: Date,
  method: PaymentMethod,
  link = requireFound(links.find(({ row }) => row.methods.includes(method))),
  scenario: (typeof CARD_SCENARIOS)[number][0] = 'ok',
) {
  const quotes = quoteLink(link.row, company)
  const isWhole = method === 'pix' || random.chance(0.35)
  const quote = isWhole ? requireFound(quotes[0]) : random.pick(quotes)
  const payer = pickPayer(random, payers, link.row.tags)
  const [brand, last4] = [random.pickWeighted(BRANDS), random.digits(4)]
  const card = method === 'pix' ? null : { ...buildTestCardToken(scenario), brand, last4 }
  const row = buildAttemptRow({
    link: link.row,
    company,
    customerId: null,
    payer,
    method,
    quote,
    attemptToken: newToken(),
    card: card && { ...card, holder: payer.name.toUpperCase() },
    now: at,
  })
  const details = { link: link.row, merchant: company, card }
  const made = await createPayment(atTime(needs, at), { row, ...details })
  if (made.kind !== 'payment') throw new Error(`A payment of the demonstration is ${made.kind}`)
  return made.row
}

async function expirePix({ needs }: DemoWorld, row: TransactionRow) {
  const at = addMs(new Date(requireFound(row.expiresAt)), SECOND_MS)
  await checkPayment(atTime(needs, at), row)
}

async function receivePix(
  { needs }: DemoWorld,
  row: TransactionRow,
  at: Date,
  amountCents: number,
) {
  await paySandboxPix(needs.db, { transactionId: row.id, amountCents }, at)
  await checkPayment(atTime(needs, at), row)
}

/** The payer's bank hung, and the same code was paid again, which the sandbox knows nothing of. */
async function payTwice({ needs }: DemoWorld, row: TransactionRow, at: Date) {
  const again = addMs(at, 45 * SECOND_MS)
  const paid = await simulatePayment(atTime(needs, at), row)
  const reference = requireFound(paid.providerReference)
  const received = [
    { endToEndId: requireFound(paid.pixEndToEndId), paidAt: at.toISOString() },
    { endToEndId: newEndToEndId(again), paidAt: again.toISOString() },
  ].map((pix) => ({ ...pix, amountCents: row.totalCents, refundedCents: 0 }))
  await applyOutcome(
    atTime(needs, again),
    paid,
    { status: 'approved', reference, received },
    'notification',
  )
  // Both can go back.
  await needs.db
    .update(sandboxCharges)
    .set({ amountCents: 2 * row.totalCents })
    .where(eq(sandboxCharges.reference, reference))
}

async function refund(
  { needs, random }: DemoWorld,
  { id: transactionId, companyId, totalCents }: TransactionRow,
  at: Date,
  amountCents = Math.ceil(totalCents / random.integer(1, 4)),
) {
  const reason = random.pick(REFUND_REASONS)
  const order = { id: newIdAt(at.getTime()), companyId, transactionId, amountCents, reason }
  await executeRefund(atTime(needs, at), order)
}

async function dispute(
  { needs: { db, checkoutUrl } }: DemoWorld,
  row: TransactionRow,
  now: Date,
  status: 'open' | 'lost',
) {
  const isPix = row.method === 'pix'
  const told = {
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
  await recordDisputes(db, row, [told], { checkoutUrl, now })
}

function atTime(needs: PayNeeds, at: Date): PayNeeds {
  return { ...needs, now: () => at }
}

function addMs(at: Date, ms: number) {
  return new Date(at.getTime() + ms)
}
