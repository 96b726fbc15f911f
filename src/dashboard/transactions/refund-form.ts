// Parses the form of a refund, and describes the refund in sentences, for the person to read before it is made.
import { z } from 'zod'
import { newId } from '../../database/id.ts'
import { formatBrl, formatCard } from '../../format.ts'
import { decimalField } from '../../http/fields.ts'
import { NewRefund } from '../../transactions/refunds/schema.ts'
import { isAmountMismatch, type TransactionRow } from '../../transactions/transaction.ts'
import { formatBrlInput, moneyField, optionalField, readTypedFields } from '../layout/form.ts'
import type { PageParts } from '../layout/page.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { refundPageTexts } from './texts.ts'

export type ConfirmedRefund = {
  refundId: string
  amountCents: number
  reason: string | null
  /** Whether the person was asked about a held payment, which a refund cancels. */
  isHeld: boolean
  /** The surplus that the person was told goes back first. */
  surplusCents?: number | undefined
  /** The Pix with a surplus to refund; absent in any other refund. */
  incomingPaymentId?: string | undefined
}
/** A refund that the person is asked about. */
export type AskedRefund = Omit<ConfirmedRefund, 'isHeld' | 'surplusCents'>
type RefundFields = { refundId: string; amount: string; reason: string }
/** `surplusCents`: the part of `left` that is surplus. */
type RefundFormState = { left: number; surplusCents: number; typed: RefundFields }

const RefundId = z.uuidv7()
const { reason } = NewRefund.shape

const confirmedAmount = decimalField({ min: 1, max: Number.MAX_SAFE_INTEGER })
const surplus = decimalField({ min: 0, max: Number.MAX_SAFE_INTEGER })
export const ConfirmedRefund = z
  .object({
    refundId: RefundId,
    amountCents: confirmedAmount,
    reason,
    held: z.string().optional(),
    surplusCents: surplus.optional(),
    incomingPaymentId: z.uuid().optional(),
  })
  .transform(({ held, ...refund }) => ({
    ...refund,
    reason: refund.reason || null,
    isHeld: held === 'sim',
  }))

/** A held payment is refunded in full, so its form asks for no amount. */
export function buildRefundSchema(payment: TransactionRow, left: number) {
  const amount = isAmountMismatch(payment)
    ? z.unknown().transform(() => left)
    : moneyField({ min: 1, max: left })
  return z.object({
    refundId: RefundId.catch(newId),
    amount,
    reason: optionalField(reason.unwrap().unwrap()),
  })
}

/** `given`: the values of an address, or those that were typed. */
export function readRefundFields(given: unknown, left = 0): RefundFields {
  const { refundId = newId(), amount, reason = '' } = readTypedFields(given)
  return { refundId, amount: amount ?? formatBrlInput(left), reason }
}

export function toRefundFields({ refundId, amountCents, reason }: AskedRefund): RefundFields {
  return { refundId, amount: formatBrlInput(amountCents), reason: reason ?? '' }
}

/** The address of the form with the values of this refund, or of the question about a surplus. */
export function buildRefundPath({ id }: TransactionRow, refund: AskedRefund) {
  const { incomingPaymentId: pix } = refund
  return pix
    ? `${paymentPagePath(id)}/devolver/excedente?pix=${pix}`
    : `${paymentPagePath(id)}/devolver?${new URLSearchParams(toRefundFields(refund))}`
}

export function buildRefundForm(
  payment: TransactionRow,
  { left, surplusCents, typed }: RefundFormState,
) {
  return {
    title: refundPageTexts.titles.form,
    payer: payment.payerName,
    back: paymentPagePath(payment.id),
    left: formatBrl(left),
    hint: refundPageTexts.upTo(formatBrl(left), surplusCents > 0 ? formatBrl(surplusCents) : null),
    total: formatBrl(payment.totalCents),
    isHeld: isAmountMismatch(payment),
    isOpen: left > 0,
    typed,
  }
}

export function buildRefundQuestion(
  payment: TransactionRow,
  refund: AskedRefund,
  context: RefundContext,
): PageParts<'dashboard/layout/confirm'> {
  const path = paymentPagePath(payment.id)
  const amount = formatBrl(refund.amountCents)
  const change = buildRefundPath(payment, refund)
  return {
    title: refundPageTexts.titles.confirm,
    question: refundPageTexts.question(amount, payment.payerName),
    consequences: listRefundConsequences(payment, refund, context),
    // A person who has to sign in again goes on there.
    action: `${path}/devolver/confirmar?${new URLSearchParams({ voltar: change })}`,
    button: refundPageTexts.button(amount),
    isDangerous: true,
    back: path,
    ...(!refund.incomingPaymentId && { change }),
    hidden: [
      { name: 'refundId', value: refund.refundId },
      { name: 'amountCents', value: refund.amountCents },
      { name: 'reason', value: refund.reason ?? '' },
      { name: 'held', value: isAmountMismatch(payment) ? 'sim' : '' },
      { name: 'surplusCents', value: context.surplusCents },
      ...(refund.incomingPaymentId
        ? [{ name: 'incomingPaymentId', value: refund.incomingPaymentId }]
        : []),
    ],
  }
}

type PlannedRefund = {
  amountCents: number
  reason: string | null
}

/** `surplusCents`: the surplus of its source, which is refunded before the sale. */
type RefundContext = { mailedPayer: string | null; surplusCents: number }

function listRefundConsequences(
  payment: TransactionRow,
  { amountCents, reason }: PlannedRefund,
  { mailedPayer, surplusCents }: RefundContext,
) {
  const words = refundPageTexts
  return [
    formatRefundTarget(payment, formatBrl(amountCents)),
    formatSources(payment, amountCents, surplusCents),
    formatRemainder(payment, amountCents - surplusCents),
    mailedPayer && words.payerNotified(mailedPayer),
    reason && words.reason(reason),
    payment.testMode && words.isTest,
    words.final,
  ].filter((line) => typeof line === 'string')
}

function formatRefundTarget(
  { method, payerName, cardBrand, cardLast4 }: TransactionRow,
  amount: string,
) {
  const { pix, credit_card } = refundPageTexts.goesBack
  return method === 'pix'
    ? pix(amount, payerName)
    : credit_card(amount, payerName, formatCard(cardBrand ?? '', cardLast4 ?? ''))
}

/** Only when both parts are refunded. */
function formatSources(payment: TransactionRow, amountCents: number, surplusCents: number) {
  const saleCents = amountCents - surplusCents
  if (isAmountMismatch(payment) || surplusCents === 0 || saleCents <= 0) return undefined
  return refundPageTexts.fromSurplus(formatBrl(surplusCents), formatBrl(saleCents))
}

/** @param saleCents the part taken from the sale */
function formatRemainder(payment: TransactionRow, saleCents: number) {
  const { stays, nothingStays, heldIsOver, saleStays } = refundPageTexts
  if (isAmountMismatch(payment)) return heldIsOver
  if (saleCents <= 0) return saleStays
  const { totalCents, refundedCents, chargedBackCents } = payment
  const rest = totalCents - refundedCents - chargedBackCents - saleCents
  return rest > 0 ? stays(formatBrl(rest)) : nothingStays
}
