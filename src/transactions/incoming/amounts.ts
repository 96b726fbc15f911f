// How much of each Pix paid the sale, how much is surplus, and how much of both is left after refunds. A refund takes
// the surplus of a Pix first.

import { requireFound } from '../../database/found.ts'

/** Money taken by a dispute or a refund, and its Pix; null means the first one. */
export type TakenMoney = { incomingPaymentId: string | null; amountCents: number }

type SaleState = {
  totalCents: number
  isApproved: boolean
}

type PixAmounts = { amountCents: number; surplusCents: number; refundedCents: number }

/** A Pix to be booked; `refundedCents` is the part that the bank has already returned. */
type ReceivedAmounts = { amountCents: number; refundedCents: number; paidAt: string }

/** The surplus of each Pix, whether the sale is then paid, and since when, if it was not before. */
type SurplusPlan = {
  surplusCents: number[]
  isComplete: boolean
  completedAt: string | null
}

/** Returns the part of the sale that it paid and that was not refunded. */
function getKeptCents({ amountCents, surplusCents, refundedCents }: PixAmounts) {
  return amountCents - surplusCents - Math.max(0, refundedCents - surplusCents)
}

/** Returns the surplus that is not refunded yet. */
export function getSurplusLeft({ surplusCents, refundedCents }: PixAmounts) {
  return Math.max(0, surplusCents - refundedCents)
}

/** Sums the surplus that is left; disputes that name no Pix took it of the sale, as in the book of movements. */
export function sumSurplusLeft<Row extends PixAmounts & { id: string }>(
  rows: readonly Row[],
  lost: readonly TakenMoney[],
) {
  return sumCents(addLost(rows, lost).map(getSurplusLeft))
}

/** Subtracts the taken money from its Pix; money without a named Pix is taken from the first one. */
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

/** Returns the surplus of each Pix, less what disputes took of it. */
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
 * Computes the surplus of each Pix at the moment when they have paid the sale together. Money that disputes had taken,
 * or that is being refunded, paid nothing of the sale and so is surplus if it stays. `inHand` are the Pix without that
 * money.
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

/** Subtracts the refunds that the bank reports for each Pix, even if they are not booked. */
export function subtractReturned<Row extends PixAmounts & { endToEndId: string }>(
  rows: readonly Row[],
  reported: readonly ReturnedAmounts[],
): Row[] {
  return rows.map((row) => {
    const goneCents = reported.find((pix) => pix.endToEndId === row.endToEndId)?.refundedCents ?? 0
    const refundedCents = Math.max(row.refundedCents, Math.min(goneCents, row.amountCents))
    return { ...row, refundedCents }
  })
}

export function sumInHand(rows: readonly Pick<PixAmounts, 'amountCents' | 'refundedCents'>[]) {
  return sumCents(rows.map(({ amountCents, refundedCents }) => amountCents - refundedCents))
}

/** Adds to the refunds of each Pix what disputes that name it took of it. */
function addLost<Row extends PixAmounts & { id: string }>(
  rows: readonly Row[],
  lost: readonly TakenMoney[],
): Row[] {
  return rows.map((row) => {
    const own = lost.filter(({ incomingPaymentId }) => incomingPaymentId === row.id)
    return { ...row, refundedCents: row.refundedCents + sumAmounts(own) }
  })
}

/**
 * Splits what is gone of the sale between refunds and disputes. Both take the surplus of a Pix first, in the order in
 * which they came, so what one of them took before stays as it is when the other takes more. `keptRefundCents`: what
 * stays refunded of the sale when a dispute changes; less than before when a bank has given a surplus back, which then
 * is what was refunded.
 */
export function splitSaleLoss<Row extends PixAmounts & { id: string }>(
  { totalCents, refundedCents, chargedBackCents }: SaleSums,
  booked: readonly Row[],
  lost: readonly TakenMoney[],
) {
  const cameCents = sumCents(booked.map((row) => row.amountCents - row.surplusCents))
  const keptCents = sumCents(addLost(booked, lost).map(getKeptCents))
  const goneCents = Math.max(0, Math.min(totalCents, cameCents) - keptCents)
  // A dispute may name no Pix of several: all of it is lost to the sale.
  const ofNone = lost.filter(({ incomingPaymentId: id }) => !booked.some((row) => row.id === id))
  const unnamedCents = sumAmounts(ofNone)
  return {
    keptRefundCents: booked.length > 0 ? Math.min(refundedCents, goneCents) : refundedCents,
    refundedCents: Math.min(totalCents, goneCents - Math.max(0, chargedBackCents - unnamedCents)),
    chargedBackCents: Math.min(totalCents, Math.max(0, goneCents - refundedCents) + unnamedCents),
  }
}

type SaleSums = { totalCents: number; refundedCents: number; chargedBackCents: number }

/** Once a sale is approved it counts as paid, even after refunds. */
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

/** Sums what these refunds have returned. */
export function sumSucceeded(refunds: readonly { amountCents: number; status: string }[]) {
  return sumAmounts(refunds.filter(({ status }) => status === 'succeeded'))
}
