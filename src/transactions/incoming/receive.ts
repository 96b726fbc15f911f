// Books the Pix that a bank shows for a charge: which of them are new, and whether they pay the sale, a part of it, or
// more. The charges of a card are booked when more than one of them was paid.

import { newId } from '../../database/id.ts'
import type { ReceivedPix } from '../../providers/received.ts'
import { changePayment, type Draft, emitEvent } from '../books.ts'
import { buildSurplusMail } from '../emails.ts'
import type { TransactionRow } from '../transaction.ts'
import {
  getSurplusLeft,
  planSurplus,
  planSurplusInHand,
  subtractReturned,
  subtractTaken,
  sumInHand,
} from './amounts.ts'
import { type IncomingPaymentRow, serializeIncomingPayment } from './schema.ts'

export type Booking = {
  added: IncomingPaymentRow[]
  /** Pix that have a new surplus. */
  overpaid: IncomingPaymentRow[]
  /** The money that was neither refunded nor lost before, and all new money. */
  inHandCents: number
  /** Whether the sale is paid, and since when, if it was not before. */
  isComplete: boolean
  completedAt: string | null
}

type ShownMoney = {
  received: readonly ReceivedPix[]
  /** The provider's own id of the charge. */
  reference: string
}

/** Adds the Pix that are not booked yet, here or on another payment. */
export function bookReceived(draft: Draft, { received, reference }: ShownMoney): Booking {
  const { payment, refunds, disputes } = draft.books
  const isApproved = payment.approvedAt !== null
  const shown = sortReceived(received)
  const known = draft.books.received.map((row) => nameRow(row, shown, reference))
  const ours = known.map(({ endToEndId }) => endToEndId)
  const fresh = shown.filter(
    ({ endToEndId }) =>
      !ours.includes(endToEndId) &&
      !draft.at.bookedElsewhere.has(endToEndId) &&
      // A charge reported with its own id beside its Pix is one of these.
      (known.length === 0 || endToEndId !== reference),
  )
  const returned = subtractReturned(known, shown)
  const lost = disputes.filter(({ status }) => status === 'lost')
  const returning = refunds.filter(({ status }) => status === 'pending')
  const unlost = isApproved ? returned : subtractTaken(returned, lost)
  // Money that is being refunded pays nothing, and is surplus if it stays.
  const inHand = isApproved ? unlost : subtractTaken(unlost, returning)
  const sale = { totalCents: payment.totalCents, isApproved }
  const { surplusCents, ...plan } = planSurplus(sale, inHand, fresh)
  const added = fresh.map((pix, i) => buildRow(payment, pix, surplusCents[i] ?? 0, draft.at.now))
  const isPaidNow = plan.isComplete && !isApproved
  const planned = isPaidNow ? planSurplusInHand(payment.totalCents, returned, inHand) : []
  const rows = known.map((row, i) => {
    const surplus = planned[i] ?? row.surplusCents
    return surplus === row.surplusCents ? row : { ...row, surplusCents: surplus }
  })
  const raised = rows.filter(
    (row, i) =>
      row !== known[i] &&
      getSurplusLeft({ ...row, refundedCents: unlost[i]?.refundedCents ?? 0 }) > 0,
  )
  draft.books = { ...draft.books, received: [...rows, ...added] }
  const inHandCents = sumInHand([...inHand, ...added])
  return { ...plan, added, overpaid: [...raised, ...added], inHandCents }
}

/** Reports money above the price: the sale stays as it is, and the company is asked once to refund it. */
export function reportSurplus(draft: Draft, overpaid: readonly IncomingPaymentRow[]) {
  for (const pix of overpaid.filter(({ surplusCents }) => surplusCents > 0)) {
    const more = { incomingPayment: serializeIncomingPayment(pix) }
    emitEvent(draft, 'transaction.overpaid', { more })
    draft.effects.mails.push(buildSurplusMail(draft, pix))
  }
}

/**
 * Books the paid charges of an approved card if there are several: a payer may pay at a provider's page in two browsers.
 * The first time, the charge that paid the sale is booked too, but only if more money is left than of the sale: a charge
 * that was refunded while another paid the sale is no surplus.
 */
export function bookCharges(draft: Draft, { received, reference }: ShownMoney) {
  const { totalCents, refundedCents } = draft.books.payment
  const isNew = draft.books.received.length === 0
  if (isNew && sumInHand(received) <= totalCents - refundedCents) return
  if (isNew) bookSaleCharge(draft, received)
  else keepSalePaid(draft, received)
  const known = draft.books.received.map(({ endToEndId }) => endToEndId)
  const left = received.filter((charge) => known.includes(charge.endToEndId) || isLeft(charge))
  const { overpaid } = bookReceived(draft, { received: left, reference })
  if (overpaid.length > 0) changePayment(draft, {})
  reportSurplus(draft, overpaid)
}

/** All refunds and disputes so far are of this charge. */
function bookSaleCharge(draft: Draft, charges: readonly ReceivedPix[]) {
  const { payment, refunds, disputes } = draft.books
  const sale = charges.find(({ paidAt }) => paidAt === payment.approvedAt) ?? charges[0]
  if (!sale) return
  const refundedCents = Math.min(payment.refundedCents, sale.amountCents)
  const row = { ...buildRow(payment, sale, 0, draft.at.now), refundedCents }
  const own = { incomingPaymentId: row.id }
  draft.books = {
    payment,
    received: [row],
    refunds: refunds.map((refund) => ({ ...refund, ...own })),
    disputes: disputes.map((dispute) => ({ ...dispute, ...own })),
  }
}

/** Of two equal charges the company may refund either at the provider: the one that is left pays the sale. */
function keepSalePaid(draft: Draft, charges: readonly ReceivedPix[]) {
  const rows = draft.books.received.filter((row) => row.refundedCents === 0)
  const gone = charges.filter((charge) => !isLeft(charge)).map(({ endToEndId }) => endToEndId)
  const refunded = rows.find((row) => row.surplusCents === 0 && gone.includes(row.endToEndId))
  const kept = rows.find(
    (row) => row.surplusCents === refunded?.amountCents && !gone.includes(row.endToEndId),
  )
  if (!refunded || !kept) return
  const received = draft.books.received.map((row) => {
    if (row === refunded) return { ...row, surplusCents: kept.surplusCents }
    return row === kept ? { ...row, surplusCents: 0 } : row
  })
  draft.books = { ...draft.books, received }
}

function isLeft({ amountCents, refundedCents }: ReceivedPix) {
  return refundedCents < amountCents
}

/** A Pix that is reported twice counts once; further ones are sorted by their instant. */
function sortReceived(received: readonly ReceivedPix[]) {
  const once = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()]
  return once
    .filter(({ amountCents }) => amountCents > 0)
    .sort(
      (a, b) =>
        compareTexts(a.paidAt, b.paidAt) ||
        // Equal corrected instants may still be sorted by the provider's own values.
        compareTexts(a.reportedPaidAt ?? a.paidAt, b.reportedPaidAt ?? b.paidAt) ||
        compareTexts(a.endToEndId, b.endToEndId),
    )
}

function compareTexts(a: string, b: string) {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A Pix that its provider first showed without an end-to-end id has the id of the charge until it is named. */
function nameRow(row: IncomingPaymentRow, shown: readonly ReceivedPix[], reference: string) {
  const isUnnamed = row.endToEndId === reference
  const [pix] = shown
  if (!isUnnamed || !pix || shown.some(({ endToEndId }) => endToEndId === reference)) return row
  return { ...row, endToEndId: pix.endToEndId }
}

function buildRow(
  { id: transactionId, companyId, provider, payerTaxId }: TransactionRow,
  { endToEndId, amountCents, paidAt, reportedPaidAt, payer }: ReceivedPix,
  surplusCents: number,
  now: Date,
): IncomingPaymentRow {
  const at = now.toISOString()
  // The names of an anonymized payer are not stored.
  const known = payerTaxId === null ? undefined : payer
  return {
    id: newId(),
    companyId,
    transactionId,
    provider,
    endToEndId,
    amountCents,
    surplusCents,
    // Its refunds have rows of their own, and are added with them.
    refundedCents: 0,
    paidAt,
    reportedPaidAt: reportedPaidAt ?? null,
    payerName: known?.name ?? null,
    payerTaxId: known?.taxId ?? null,
    createdAt: at,
    updatedAt: at,
  }
}
