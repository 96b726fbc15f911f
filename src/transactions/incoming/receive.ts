// The Pix that a bank shows for a charge, booked: what is new of them, and what they do to the sale. They pay it, a
// part of it, or are too much.

import { newId } from '../../database/id.ts'
import type { ReceivedPix } from '../../providers/provider.ts'
import type { Draft } from '../books.ts'
import type { TransactionRow } from '../transaction.ts'
import {
  getSurplusLeft,
  planSurplus,
  planSurplusInHand,
  subtractReturned,
  subtractTaken,
  sumInHand,
} from './amounts.ts'
import type { IncomingPaymentRow } from './schema.ts'

export type Booking = {
  added: IncomingPaymentRow[]
  /** Those of which something is too much since now. */
  overpaid: IncomingPaymentRow[]
  /** What neither goes back nor was lost of what was known before, and all that was not. */
  inHandCents: number
  /** Whether the sale is paid, and since when, where it was not before. */
  isComplete: boolean
  completedAt: string | null
}

export type ShownMoney = {
  received: readonly ReceivedPix[]
  /** The provider's own name for the charge. */
  reference: string
}

/** Adds what is not booked yet, here or on another payment. The usual is a first Pix. */
export function bookReceived(draft: Draft, { received, reference }: ShownMoney): Booking {
  const { payment, refunds, disputes } = draft.books
  const isApproved = payment.approvedAt !== null
  const shown = sortReceived(received)
  const known = draft.books.received.map((row) => correctRow(payment, row, { shown, reference }))
  const ours = known.map(({ endToEndId }) => endToEndId)
  const fresh = shown.filter(
    ({ endToEndId }) =>
      !ours.includes(endToEndId) &&
      !draft.at.bookedElsewhere.has(endToEndId) &&
      // A charge that is told by its own name beside its Pix is one of these.
      (known.length === 0 || endToEndId !== reference),
  )
  const returned = subtractReturned(known, shown)
  const lost = disputes.filter(({ status }) => status === 'lost')
  const returning = refunds.filter(({ status }) => status === 'pending')
  const unlost = isApproved ? returned : subtractTaken(returned, lost)
  // What is on its way back pays nothing, and is too much should it stay after all.
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

/** The same Pix told twice in one breath is one; a second one comes after the first. */
function sortReceived(received: readonly ReceivedPix[]) {
  const once = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()]
  return once
    .filter(({ amountCents }) => amountCents > 0)
    .sort(
      (a, b) =>
        compareTexts(a.paidAt, b.paidAt) ||
        // What was said of two that cannot be as they were said may still tell them apart.
        compareTexts(a.reportedPaidAt ?? a.paidAt, b.reportedPaidAt ?? b.paidAt) ||
        compareTexts(a.endToEndId, b.endToEndId),
    )
}

function compareTexts(a: string, b: string) {
  return a < b ? -1 : a > b ? 1 : 0
}

type Shown = { shown: readonly ReceivedPix[]; reference: string }

/**
 * What a payment's own row told of its money is put right by the bank: the sum of several Pix was booked as one by
 * the migration that made these rows, and a Pix without an end-to-end id by the charge's own name.
 */
function correctRow(
  { id, totalCents }: TransactionRow,
  row: IncomingPaymentRow,
  { shown, reference }: Shown,
): IncomingPaymentRow {
  const pix =
    shown.find(({ endToEndId }) => endToEndId === row.endToEndId) ??
    shown.find(({ endToEndId }) => [endToEndId, row.endToEndId].includes(reference))
  if (!pix) return row
  const { endToEndId, amountCents } = pix
  const isNamed = row.endToEndId === reference && endToEndId !== reference
  // What has gone back of it has gone back.
  const isSum = row.id === id && amountCents < row.amountCents && amountCents >= row.refundedCents
  if (!isNamed && !isSum) return row
  const sum = isSum && { amountCents, surplusCents: Math.max(0, amountCents - totalCents) }
  return { ...row, ...(isNamed && { endToEndId }), ...sum }
}

function buildRow(
  { id: transactionId, companyId, provider, payerTaxId }: TransactionRow,
  { endToEndId, amountCents, paidAt, reportedPaidAt, payer }: ReceivedPix,
  surplusCents: number,
  now: Date,
): IncomingPaymentRow {
  const at = now.toISOString()
  // Of somebody who was anonymized meanwhile nobody's name is kept.
  const known = payerTaxId === null ? undefined : payer
  return {
    id: newId(),
    companyId,
    transactionId,
    provider,
    endToEndId,
    amountCents,
    surplusCents,
    // What went back of it has a row of its own, and is counted with that.
    refundedCents: 0,
    paidAt,
    reportedPaidAt: reportedPaidAt ?? null,
    payerName: known?.name ?? null,
    payerTaxId: known?.taxId ?? null,
    createdAt: at,
    updatedAt: at,
  }
}
