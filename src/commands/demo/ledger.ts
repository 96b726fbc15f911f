// What the demonstration's payments leave behind: each row as it stands in the end, each event as it
// stood when it was told. The same facts that pay.ts and settle.ts write, with their time in the past.
import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { EventType, StepKind } from '../../database/enums.ts'
import type { sandboxCharges, sandboxRefunds, transactionSteps } from '../../database/tables.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { linkEventData } from '../../payment-links/serialize.ts'
import { DECLINES, referenceOf } from '../../providers/sandbox/sandbox.ts'
import { texts } from '../../texts.ts'
import { eventData, refundToWire } from '../../transactions/serialize.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { newEventId } from '../../webhooks/events/id.ts'

export type Book = {
  checkoutUrl: string
  /** By their ids. */
  payments: Map<string, TransactionRow>
  steps: (typeof transactionSteps.$inferInsert)[]
  events: Told[]
  refunds: RefundRow[]
  charges: (typeof sandboxCharges.$inferInsert)[]
  givenBack: (typeof sandboxRefunds.$inferInsert)[]
}

export type Told = {
  id: string
  companyId: string
  type: EventType
  body: string
  createdAt: string
}

/** A payment with the link that it is of. */
export type Entry = { row: TransactionRow; link: LinkRow }

type RefundOrder = { amountCents: number; reason: string; failed?: boolean }

export function openBook(checkoutUrl: string): Book {
  const lists = { steps: [], events: [], refunds: [], charges: [], givenBack: [] }
  return { checkoutUrl, payments: new Map(), ...lists }
}

export function enter(book: Book, entry: Entry) {
  book.payments.set(entry.row.id, entry.row)
  return entry
}

export function approvePix(book: Book, entry: Entry, at: Date) {
  const approvedAt = at.toISOString()
  const paidLate = approvedAt > entry.row.expiresAt!
  const proof = { approvedAt, paidLate, pixEndToEndId: endToEndId(at) }
  const paid = change(book, entry, { status: 'approved', ...proof }, at)
  step(book, paid, 'settled', at, { status: 'approved', source: 'notification' })
  charge(book, paid, 'ok', at)
  say(book, paid, 'transaction.approved', at)
  return paid
}

export function expire(book: Book, entry: Entry) {
  const at = new Date(Date.parse(entry.row.expiresAt!) + 800)
  const expired = change(book, entry, { status: 'expired' }, at)
  say(book, expired, 'transaction.expired', at)
  return expired
}

export function hold(book: Book, entry: Entry, receivedCents: number, at: Date) {
  const { totalCents } = entry.row
  const holdReason = texts.holds.amountDiffers(receivedCents, totalCents)
  const came = { holdReason, receivedCents, pixEndToEndId: endToEndId(at) }
  const held = change(book, entry, came, at)
  step(book, held, 'held', at, { receivedCents, totalCents })
  charge(book, held, 'ok', at)
}

/** With `challenge` the payer confirmed the purchase at the bank first. */
export function approveCard(book: Book, entry: Entry, at: Date, challenge: boolean) {
  const threeDs = {
    threeDsStatus: 'authenticated',
    threeDsEci: entry.row.cardBrand === 'mastercard' ? '02' : '05',
    threeDsFlow: challenge ? 'challenge' : 'frictionless',
  } as const
  const providerReference = referenceOf(entry.row.id)
  const approval = { status: 'approved', approvedAt: at.toISOString(), providerReference } as const
  const paid = change(book, entry, { ...approval, ...threeDs }, at)
  if (challenge) {
    step(book, paid, 'challenge', new Date(Date.parse(paid.row.createdAt) + 900))
    step(book, paid, 'settled', at, { status: 'approved', source: 'reconciliation' })
  }
  charge(book, paid, challenge ? 'challenge' : 'ok', at)
  say(book, paid, 'transaction.approved', at)
  return paid
}

export function declineCard(book: Book, entry: Entry, scenario: string, at: Date) {
  const { code, abecs, retryable } = DECLINES[scenario]!
  const failed = code === 'threeds_failed'
  const refusal = {
    status: 'declined',
    declineCode: code,
    abecsCode: abecs,
    retryable,
    providerReference: referenceOf(entry.row.id),
    threeDsStatus: failed ? 'failed' : 'authenticated',
    threeDsEci: failed ? null : '05',
    threeDsFlow: 'frictionless',
  } as const
  const declined = change(book, entry, refusal, at)
  charge(book, declined, scenario, null)
  say(book, declined, 'transaction.declined', at)
}

export function refund(book: Book, entry: Entry, order: RefundOrder, at: Date) {
  const { amountCents, failed = false } = order
  const done = new Date(at.getTime() + 1_200)
  const row = refundRow(entry, order, at, done)
  book.refunds.push(row)
  if (failed) return
  const { id: reference, createdAt } = row
  const chargeReference = referenceOf(entry.row.id)
  book.givenBack.push({ reference, chargeReference, amountCents, createdAt })
  const refundedCents = entry.row.refundedCents + amountCents
  const status = refundedCents === entry.row.totalCents ? 'refunded' : 'partially_refunded'
  const refunded = change(book, entry, { refundedCents, status }, done)
  say(book, refunded, 'transaction.refunded', done, row)
}

export function chargeBack(book: Book, entry: Entry, at: Date) {
  const contested = change(book, entry, { status: 'charged_back' }, at)
  say(book, contested, 'transaction.charged_back', at)
}

export function tellOfLink(book: Book, link: LinkRow, type: EventType, at: Date) {
  tell(book, link.companyId, type, at, { paymentLink: linkEventData(link) })
}

function change(book: Book, { row, link }: Entry, changes: Partial<TransactionRow>, at: Date) {
  const changed = { ...row, ...changes, checkAt: null, updatedAt: at.toISOString() }
  return enter(book, { row: changed, link })
}

function say(book: Book, { row, link }: Entry, type: EventType, at: Date, refund?: RefundRow) {
  const more = refund ? { refund: refundToWire(refund) } : {}
  tell(book, link.companyId, type, at, eventData(row, link, book.checkoutUrl, more))
}

function tell(book: Book, companyId: string, type: EventType, at: Date, data: object) {
  const createdAt = at.toISOString()
  const body = JSON.stringify({ type, timestamp: createdAt, testMode: true, data })
  book.events.push({ id: newEventId(at), companyId, type, body, createdAt })
}

function step(book: Book, { row }: Entry, kind: StepKind, at: Date, details: Details = {}) {
  const id = v7({ msecs: at.getTime() })
  book.steps.push({ id, transactionId: row.id, kind, details, createdAt: at.toISOString() })
}

type Details = Record<string, string | number>

/** In the simulated bank's book, so that the payment can be refunded there. */
function charge(book: Book, { row }: Entry, scenario: string, paidAt: Date | null) {
  book.charges.push({
    reference: referenceOf(row.id),
    scenario,
    status: paidAt ? 'approved' : 'declined',
    amountCents: row.receivedCents ?? row.totalCents,
    eci: row.threeDsEci,
    endToEndId: row.pixEndToEndId,
    paidAt: paidAt?.toISOString() ?? null,
    createdAt: row.createdAt,
  })
}

function refundRow({ row }: Entry, order: RefundOrder, at: Date, done: Date): RefundRow {
  return {
    id: v7({ msecs: at.getTime() }),
    companyId: row.companyId,
    transactionId: row.id,
    amountCents: order.amountCents,
    status: order.failed ? 'failed' : 'succeeded',
    reason: order.reason,
    failureReason: order.failed ? 'insufficient_balance' : null,
    providerReference: null,
    checkAt: null,
    checks: 0,
    createdAt: at.toISOString(),
    updatedAt: done.toISOString(),
  }
}

/** As the sandbox's own: `E`, the bank, the minute in UTC and eleven characters. */
function endToEndId(at: Date) {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E00000000${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}
