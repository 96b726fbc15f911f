// Reads the outcome of a charge from an order of Pagar.me. The order's charges have the money, and its checkout is the
// page where the payer pays. While the page is open a declined card is not final, because the payer may try another
// card.

import { MINUTE_MS } from '../../database/instant.ts'
import { toEnteredCard, toThreeDs } from '../card.ts'
import {
  type Approval,
  type ChargeOutcome,
  type Decline,
  type EnteredCard,
  PROVIDER_PAGE_MINUTES,
  type ProviderDispute,
} from '../provider.ts'
import type { ReceivedPix } from '../received.ts'
import { toAbecsDecline } from './abecs.ts'
import type { PagarmeCharge, PagarmeOrder } from './schema.ts'

const PAID = /^(PAID|OVERPAID|UNDERPAID|PARTIAL\w*|CHARGED?_?BACK\w*)$/
const GIVEN_BACK = /^(CANCELED|CANCELLED|REFUNDED|VOIDED)$/
const FAILED = /^(FAILED|NOT_AUTHORIZED|WITH_ERROR)$/
const UNDER_WAY = /^(PENDING|PROCESSING|WAITING_CAPTURE|AUTHORIZED_PENDING_CAPTURE)$/
const CHARGED_BACK = /^CHARGED?_?BACK/
const PAGE_OPEN = /^(OPEN|PENDING|ACTIVE)$/
const GIVEN_UP = /^(CANCELED|CANCELLED|EXPIRED)$/
const FRAUD_REFUSED = /^(REPROVED|REFUSED|DECLINED|REJECTED)$/

export function toOrderOutcome(
  order: PagarmeOrder,
  { createdAt, totalCents }: { createdAt: string; totalCents: number },
  now: Date,
): ChargeOutcome {
  const { id: reference } = order
  const paid = listPaidCharges(order)
  if (paid.length > 0) return toApproval(reference, paid, { totalCents, now })
  if (order.charges.some(isUnderWay)) return { status: 'processing', reference, isPayerDone: true }
  const page = order.checkouts[0]
  if (page?.payment_url && isPageOpen(order) && !GIVEN_UP.test(order.status)) {
    const expiresAt = getPageEnd(createdAt, page.expires_at)
    return { status: 'awaiting_payer', reference, pageUrl: page.payment_url, expiresAt }
  }
  const refused = findRefusedCharge(order)
  if (refused) return toDecline(reference, refused)
  const isGivenUp = [order.status, page?.status ?? ''].some((status) => GIVEN_UP.test(status))
  if (isGivenUp) return { status: 'canceled', reference }
  return { status: 'processing', reference, isPayerDone: true }
}

/** Returns our own end of the page, or Pagar.me's if it is earlier. */
function getPageEnd(createdAt: string, theirs: string | undefined) {
  const ours = new Date(Date.parse(createdAt) + PROVIDER_PAGE_MINUTES * MINUTE_MS).toISOString()
  return theirs && theirs > createdAt && theirs < ours ? theirs : ours
}

/** Whether the order says that the payer may still pay at its page. */
export function isPageOpen({ checkouts: [page] }: PagarmeOrder) {
  return page?.payment_url !== undefined && PAGE_OPEN.test(page.status)
}

/** Returns several charges when the payer paid twice at the page. */
export function listPaidCharges({ charges }: PagarmeOrder) {
  return charges.filter(
    ({ status, paid_at, paid_amount }) =>
      PAID.test(status) || (GIVEN_BACK.test(status) && (paid_at || paid_amount)),
  )
}

/**
 * Returns the charge that pays the sale, as a list. After two payments at one page, a charge that was refunded in full does
 * not pay it while another is left. If none has the total, all that are left count.
 */
function listSaleCharges(paid: PagarmeCharge[], totalCents: number) {
  const left = paid.filter((charge) => getCanceledCents(charge) < getPaidCents(charge))
  const kept = left.length > 0 ? left : paid
  const whole = kept.find((charge) => getPaidCents(charge) === totalCents)
  return whole ? [whole] : kept
}

/** Whether the payer has paid at the page, and the acquirer or its antifraud has not decided yet. */
function isUnderWay({ status, last_transaction: transaction }: PagarmeCharge) {
  return UNDER_WAY.test(status) && transaction && !transaction.threed_authentication_url
}

/** Returns the refunded amount of a charge, without money taken by a dispute. */
export function getCanceledCents(charge: PagarmeCharge) {
  const paidCents = getPaidCents(charge)
  const canceledCents = charge.canceled_amount ?? (GIVEN_BACK.test(charge.status) ? paidCents : 0)
  const isTaken = CHARGED_BACK.test(charge.status) && canceledCents >= paidCents
  return isTaken ? 0 : Math.min(canceledCents, paidCents)
}

export function getPaidCents({ paid_amount, amount }: PagarmeCharge) {
  return paid_amount || amount
}

/** Returns the newest charge if it failed. */
function findRefusedCharge({ charges }: PagarmeOrder) {
  const [last] = charges.toSorted((a, b) => (getChangedAt(a) < getChangedAt(b) ? 1 : -1))
  return last && FAILED.test(last.status) ? last : undefined
}

function getChangedAt({ updated_at, created_at }: PagarmeCharge) {
  return created_at ?? updated_at ?? ''
}

function toApproval(
  reference: string,
  paid: PagarmeCharge[],
  { totalCents, now }: { totalCents: number; now: Date },
): Approval {
  const ofSale = listSaleCharges(paid, totalCents)
  const [first] = ofSale
  const charges = paid.map((charge) => toPaidCharge(charge, now))
  const disputes = paid.flatMap((charge) => toDispute(charge, now) ?? [])
  const sum = (read: (charge: PagarmeCharge) => number) =>
    ofSale.reduce((cents, charge) => cents + read(charge), 0)
  const card = first && readCard(first)
  return {
    status: 'approved',
    reference,
    paidCents: sum(getPaidCents),
    paidAt: getPaidAt(first, now),
    refundedCents: sum(getCanceledCents),
    ...(paid.length > 1 && ofSale.length === 1 && { charges }),
    ...(disputes.length > 0 ? { disputes } : { isUndisputed: true }),
    ...(first && { threeDs: readThreeDs(first) }),
    ...(card && { card }),
  }
}

function toPaidCharge(charge: PagarmeCharge, now: Date): ReceivedPix {
  return {
    endToEndId: charge.id,
    amountCents: getPaidCents(charge),
    paidAt: getPaidAt(charge, now),
    refundedCents: getCanceledCents(charge),
  }
}

function getPaidAt(charge: PagarmeCharge | undefined, now: Date) {
  return charge?.paid_at ?? charge?.updated_at ?? now.toISOString()
}

/** Pagar.me reports only that a charge is charged back: the dispute counts as lost, until the charge is paid again. */
function toDispute(charge: PagarmeCharge, now: Date): ProviderDispute | undefined {
  if (!CHARGED_BACK.test(charge.status)) return undefined
  const at = charge.updated_at ?? now.toISOString()
  return {
    reference: charge.id,
    kind: 'card',
    endToEndId: charge.id,
    reason: null,
    amountCents: getPaidCents(charge) - getCanceledCents(charge),
    status: 'lost',
    openedAt: at,
    closedAt: at,
    respondBy: null,
  }
}

function toDecline(reference: string, charge: PagarmeCharge): Decline {
  const { acquirer_return_code: code, antifraud_response } = charge.last_transaction ?? {}
  const isFraud = FRAUD_REFUSED.test(antifraud_response?.status ?? '')
  const [card, threeDs] = [readCard(charge), readThreeDs(charge)]
  return {
    status: 'declined',
    reference,
    ...toAbecsDecline(code ?? ''),
    ...(isFraud && !code && { declineCode: 'suspected_fraud' as const }),
    ...(threeDs.eci && { threeDs }),
    ...(card && { card }),
  }
}

/** Only the ECI shows whether the hosted page used 3-D Secure. */
function readThreeDs({ last_transaction: transaction }: PagarmeCharge) {
  const { threed_secure, authentication, threed_authentication_url } = transaction ?? {}
  const ecis = [threed_secure?.eci, authentication?.threed_secure?.eci]
  return toThreeDs(ecis, threed_authentication_url !== undefined)
}

function readCard({ last_transaction: transaction }: PagarmeCharge): EnteredCard | undefined {
  const { brand, last_four_digits: last4, holder_name: holder } = transaction?.card ?? {}
  return toEnteredCard({ brand, last4, holder })
}
