// What the demonstration's payments leave behind: each row as it stands in the end, each event as it
// stood when it was told. The same facts that pay.ts and settle.ts write, with their time in the past.
import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { EventType, StepKind } from '../../database/enums.ts'
import type { sandboxCharges, sandboxRefunds, transactionSteps } from '../../database/tables.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { toLinkEventData } from '../../payment-links/serialize.ts'
import { SANDBOX_DECLINES, toSandboxReference } from '../../providers/sandbox/sandbox.ts'
import { texts } from '../../texts.ts'
import { serializeRefund } from '../../transactions/refunds/serialize.ts'
import { toTransactionEventData } from '../../transactions/serialize.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { newEventId } from '../../webhooks/event-id.ts'

export type Ledger = {
  checkoutUrl: string
  /** By their ids. */
  payments: Map<string, TransactionRow>
  steps: (typeof transactionSteps.$inferInsert)[]
  events: EmittedEvent[]
  refunds: RefundRow[]
  charges: (typeof sandboxCharges.$inferInsert)[]
  givenBack: (typeof sandboxRefunds.$inferInsert)[]
}

export type EmittedEvent = {
  id: string
  companyId: string
  type: EventType
  body: string
  createdAt: string
}

/** A payment with the link that it is of. */
export type LedgerEntry = { row: TransactionRow; link: LinkRow }

type LedgerRefund = { amountCents: number; reason: string; failed?: boolean }

export function createLedger(checkoutUrl: string): Ledger {
  const lists = { steps: [], events: [], refunds: [], charges: [], givenBack: [] }
  return { checkoutUrl, payments: new Map(), ...lists }
}

export function addEntry(book: Ledger, entry: LedgerEntry) {
  book.payments.set(entry.row.id, entry.row)
  return entry
}

export function approvePix(book: Ledger, entry: LedgerEntry, at: Date) {
  const approvedAt = at.toISOString()
  const paidLate = approvedAt > entry.row.expiresAt!
  const proof = { approvedAt, paidLate, pixEndToEndId: generateEndToEndId(at) }
  const paid = updateEntry(book, entry, { status: 'approved', ...proof }, at)
  addEntryStep(book, paid, 'settled', at, { status: 'approved', source: 'notification' })
  addBankCharge(book, paid, 'ok', at)
  emitEntryEvent(book, paid, 'transaction.approved', at)
  return paid
}

export function expireEntry(book: Ledger, entry: LedgerEntry) {
  const at = new Date(Date.parse(entry.row.expiresAt!) + 800)
  const expired = updateEntry(book, entry, { status: 'expired' }, at)
  emitEntryEvent(book, expired, 'transaction.expired', at)
  return expired
}

export function holdEntry(book: Ledger, entry: LedgerEntry, receivedCents: number, at: Date) {
  const { totalCents } = entry.row
  const holdReason = texts.holds.amountDiffers(receivedCents, totalCents)
  const came = { holdReason, receivedCents, pixEndToEndId: generateEndToEndId(at) }
  const held = updateEntry(book, entry, came, at)
  addEntryStep(book, held, 'held', at, { receivedCents, totalCents })
  addBankCharge(book, held, 'ok', at)
}

/** With `challenge` the payer confirmed the purchase at the bank first. */
export function approveCard(book: Ledger, entry: LedgerEntry, at: Date, challenge: boolean) {
  const threeDs = {
    threeDsStatus: 'authenticated',
    threeDsEci: entry.row.cardBrand === 'mastercard' ? '02' : '05',
    threeDsFlow: challenge ? 'challenge' : 'frictionless',
  } as const
  const providerReference = toSandboxReference(entry.row.id)
  const approval = { status: 'approved', approvedAt: at.toISOString(), providerReference } as const
  const paid = updateEntry(book, entry, { ...approval, ...threeDs }, at)
  if (challenge) {
    addEntryStep(book, paid, 'challenge', new Date(Date.parse(paid.row.createdAt) + 900))
    addEntryStep(book, paid, 'settled', at, { status: 'approved', source: 'reconciliation' })
  }
  addBankCharge(book, paid, challenge ? 'challenge' : 'ok', at)
  emitEntryEvent(book, paid, 'transaction.approved', at)
  return paid
}

export function declineCard(book: Ledger, entry: LedgerEntry, scenario: string, at: Date) {
  const { code, abecs, retryable } = SANDBOX_DECLINES[scenario]!
  const failed = code === 'threeds_failed'
  const refusal = {
    status: 'declined',
    declineCode: code,
    abecsCode: abecs,
    retryable,
    providerReference: toSandboxReference(entry.row.id),
    threeDsStatus: failed ? 'failed' : 'authenticated',
    threeDsEci: failed ? null : '05',
    threeDsFlow: 'frictionless',
  } as const
  const declined = updateEntry(book, entry, refusal, at)
  addBankCharge(book, declined, scenario, null)
  emitEntryEvent(book, declined, 'transaction.declined', at)
}

export function refundEntry(book: Ledger, entry: LedgerEntry, order: LedgerRefund, at: Date) {
  const { amountCents, failed = false } = order
  const done = new Date(at.getTime() + 1_200)
  const row = buildRefundRow(entry, order, at, done)
  book.refunds.push(row)
  if (failed) return
  const { id: reference, createdAt } = row
  const chargeReference = toSandboxReference(entry.row.id)
  book.givenBack.push({ reference, chargeReference, amountCents, createdAt })
  const refundedCents = entry.row.refundedCents + amountCents
  const status = refundedCents === entry.row.totalCents ? 'refunded' : 'partially_refunded'
  const refunded = updateEntry(book, entry, { refundedCents, status }, done)
  emitEntryEvent(book, refunded, 'transaction.refunded', done, row)
}

export function chargeBackEntry(book: Ledger, entry: LedgerEntry, at: Date) {
  const contested = updateEntry(book, entry, { status: 'charged_back' }, at)
  emitEntryEvent(book, contested, 'transaction.charged_back', at)
}

export function emitLedgerLinkEvent(book: Ledger, link: LinkRow, type: EventType, at: Date) {
  emitLedgerEvent(book, link.companyId, type, at, { paymentLink: toLinkEventData(link) })
}

function updateEntry(
  book: Ledger,
  { row, link }: LedgerEntry,
  changes: Partial<TransactionRow>,
  at: Date,
) {
  const changed = { ...row, ...changes, checkAt: null, updatedAt: at.toISOString() }
  return addEntry(book, { row: changed, link })
}

function emitEntryEvent(
  book: Ledger,
  { row, link }: LedgerEntry,
  type: EventType,
  at: Date,
  refund?: RefundRow,
) {
  const more = refund ? { refund: serializeRefund(refund) } : {}
  emitLedgerEvent(
    book,
    link.companyId,
    type,
    at,
    toTransactionEventData(row, link, book.checkoutUrl, more),
  )
}

function emitLedgerEvent(book: Ledger, companyId: string, type: EventType, at: Date, data: object) {
  const createdAt = at.toISOString()
  const body = JSON.stringify({ type, timestamp: createdAt, testMode: true, data })
  book.events.push({ id: newEventId(at), companyId, type, body, createdAt })
}

function addEntryStep(
  book: Ledger,
  { row }: LedgerEntry,
  kind: StepKind,
  at: Date,
  details: StepDetails = {},
) {
  const id = v7({ msecs: at.getTime() })
  book.steps.push({ id, transactionId: row.id, kind, details, createdAt: at.toISOString() })
}

type StepDetails = Record<string, string | number>

/** In the simulated bank's book, so that the payment can be refunded there. */
function addBankCharge(book: Ledger, { row }: LedgerEntry, scenario: string, paidAt: Date | null) {
  book.charges.push({
    reference: toSandboxReference(row.id),
    scenario,
    status: paidAt ? 'approved' : 'declined',
    amountCents: row.receivedCents ?? row.totalCents,
    eci: row.threeDsEci,
    endToEndId: row.pixEndToEndId,
    paidAt: paidAt?.toISOString() ?? null,
    createdAt: row.createdAt,
  })
}

function buildRefundRow(
  { row }: LedgerEntry,
  order: LedgerRefund,
  at: Date,
  done: Date,
): RefundRow {
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
function generateEndToEndId(at: Date) {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E00000000${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}
