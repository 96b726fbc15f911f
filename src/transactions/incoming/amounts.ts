// What each Pix that came in means for the sale: how much of it paid the sale, how much is surplus, and
// what of either is left once something has gone back. What goes back of a Pix is its surplus first.

import { requireFound } from '../../database/found.ts'

/** Money that a dispute or a refund takes, and of which Pix; null: of the first. */
export type TakenMoney = { incomingPaymentId: string | null; amountCents: number }

type SaleState = {
  totalCents: number
  isApproved: boolean
}

type PixAmounts = { amountCents: number; surplusCents: number; refundedCents: number }

/** A Pix that is to be booked; `refundedCents` is what the bank has given back of it already. */
type ReceivedAmounts = { amountCents: number; refundedCents: number; paidAt: string }

/** The surplus of each in turn, and whether the sale is paid by then; when, if it was not before. */
export type SurplusPlan = {
  surplusCents: number[]
  isComplete: boolean
  completedAt: string | null
}

/** What it brought the sale and is not given back. */
function getKeptCents({ amountCents, surplusCents, refundedCents }: PixAmounts) {
  return amountCents - surplusCents - Math.max(0, refundedCents - surplusCents)
}

/** What is to go back of it and has not yet. */
export function getSurplusLeft({ surplusCents, refundedCents }: PixAmounts) {
  return Math.max(0, surplusCents - refundedCents)
}

/** Each after what is taken of it; what names no Pix is taken of the first. */
export function subtractTaken<Row extends PixAmounts & { id: string }>(
  rows: readonly Row[],
  lost: readonly TakenMoney[],
): Row[] {
  return rows.map((row, i) => {
    const own = lost.filter(
      ({ incomingPaymentId: id }) => id === row.id || (id === null && i === 0),
    )
    const goneCents = row.refundedCents + sumAmounts(own)
    return { ...row, refundedCents: Math.min(row.amountCents, goneCents) }
  })
}

/** What of each was too much, less what disputes took of that. */
export function listUnlostSurplus<Row extends PixAmounts & { id: string }>(
  rows: readonly Row[],
  lost: readonly TakenMoney[],
): number[] {
  return subtractTaken(rows, lost).map(({ refundedCents: goneCents }, i) => {
    const { surplusCents, refundedCents } = requireFound(rows[i])
    return Math.max(0, surplusCents - (goneCents - refundedCents))
  })
}

/**
 * The surplus of each once they have paid the sale together: what disputes had taken by then, or was on its way
 * back, was no part of it, and what a bank that thought again has put beyond it is not either. `inHand` is them
 * less all that.
 */
export function planSurplusInHand(
  totalCents: number,
  booked: readonly PixAmounts[],
  inHand: readonly PixAmounts[],
): number[] {
  let brought = 0
  return booked.map((row, i) => {
    const left = inHand[i] ?? row
    const keptCents = getKeptCents(left)
    const appliedCents = Math.min(keptCents, totalCents - brought)
    brought += appliedCents
    const isWhole = appliedCents === keptCents && left.refundedCents === row.refundedCents
    return isWhole ? row.surplusCents : row.amountCents - appliedCents
  })
}

type ReturnedAmounts = { endToEndId: string; refundedCents: number }

/** The same after what the bank says has gone back of each, booked or not. */
export function subtractReturned<Row extends PixAmounts & { endToEndId: string }>(
  rows: readonly Row[],
  told: readonly ReturnedAmounts[],
): Row[] {
  return rows.map((row) => {
    const goneCents = told.find((pix) => pix.endToEndId === row.endToEndId)?.refundedCents ?? 0
    const refundedCents = Math.max(row.refundedCents, Math.min(goneCents, row.amountCents))
    return { ...row, refundedCents }
  })
}

export function sumInHand(rows: readonly PixAmounts[]) {
  return sumCents(rows.map(({ amountCents, refundedCents }) => amountCents - refundedCents))
}

/** What has gone back of the sale itself. */
export function computeSaleRefund(totalCents: number, booked: readonly PixAmounts[]) {
  return Math.max(0, totalCents - sumCents(booked.map(getKeptCents)))
}

/**
 * What disputes took of the sale, at most its total. A Pix that came in twice loses what was too much of it first,
 * which was never part of the sale.
 */
export function computeSaleLoss<Row extends PixAmounts & { id: string }>(
  totalCents: number,
  booked: readonly Row[],
  lost: readonly TakenMoney[],
) {
  const ofPix = booked.map((row) => {
    const own = lost.filter(({ incomingPaymentId }) => incomingPaymentId === row.id)
    const takenCents = sumAmounts(own)
    const beyond = (cents: number) => Math.max(0, cents - row.surplusCents)
    return beyond(row.refundedCents + takenCents) - beyond(row.refundedCents)
  })
  const ofNone = lost.filter(({ incomingPaymentId: id }) => !booked.some((row) => row.id === id))
  const unnamed = sumAmounts(ofNone)
  return Math.min(totalCents, sumCents(ofPix) + unnamed)
}

/** Once a sale is approved it lacks nothing any more, whatever goes back of it. */
export function planSurplus(
  { totalCents, isApproved }: SaleState,
  booked: readonly PixAmounts[],
  received: readonly ReceivedAmounts[],
): SurplusPlan {
  const getAppliedCents = (row: PixAmounts) => row.amountCents - row.surplusCents
  let brought = sumCents(booked.map(isApproved ? getAppliedCents : getKeptCents))
  let isComplete = isApproved || brought >= totalCents
  let completedAt: string | null = null
  const surplusCents = received.map(({ amountCents, refundedCents, paidAt }) => {
    const applied = Math.min(amountCents, Math.max(0, totalCents - brought))
    const surplus = amountCents - applied
    brought += applied
    if (!isComplete && brought >= totalCents) {
      isComplete = true
      completedAt = paidAt
    }
    if (!isComplete) brought -= Math.max(0, refundedCents - surplus)
    return surplus
  })
  return { surplusCents, isComplete, completedAt }
}

export function sumCents(amounts: readonly number[]) {
  return amounts.reduce((sum, cents) => sum + cents, 0)
}

export function sumAmounts(rows: readonly { amountCents: number }[]) {
  return sumCents(rows.map(({ amountCents }) => amountCents))
}
