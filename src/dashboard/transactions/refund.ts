// `/painel/transacoes/:id/devolver`: how much goes back, then a question that says exactly what will
// happen, then the refund. Its id is made with the form, so that however often one is sent, money goes
// back once.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { newId } from '../../database/id.ts'
import { formatBrl } from '../../format.ts'
import type { AppError } from '../../http/errors.ts'
import { decimalField } from '../../http/fields.ts'
import type { ListedTransaction } from '../../transactions/listing/listed.ts'
import { ALLOWANCE_EXCEEDED } from '../../transactions/refunds/allowance.ts'
import { executeRefund } from '../../transactions/refunds/execute.ts'
import { NewRefund } from '../../transactions/refunds/schema.ts'
import { refundTexts } from '../../transactions/refunds/texts.ts'
import type { RefundRow } from '../../transactions/transaction.ts'
import { isAmountMismatch, type TransactionRow } from '../../transactions/transaction.ts'
import {
  catchRefusal,
  formatBrlInput,
  moneyField,
  optionalField,
  readForm,
  readTypedFields,
  type SaveResult,
} from '../layout/forms/form.ts'
import { type ById, type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError, type PageParts } from '../layout/page.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { findRequestedPayment, loadWhatIsLeft } from './find.ts'
import { exceedsAllowance, getRefundAllowance, queueLargeRefundNotice } from './refund-allowance.ts'
import { listRefundConsequences, type RefundContext } from './refund-view.ts'
import { refundPageTexts } from './texts.ts'

const REFUND = requireRight('refund')
const words = refundPageTexts

type ConfirmedRefund = {
  refundId: string
  amountCents: number
  reason: string | null
  /** The Pix whose surplus goes back; absent of anything else. */
  incomingPaymentId?: string | undefined
}
type RefundFields = { refundId: string; amount: string; reason: string }
type RefundFormState = { left: number; typed: RefundFields; errors?: FormError[] }

export async function refundPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)
  const stepUp = async (request: FastifyRequest) => {
    const { data: order } = ConfirmedRefund.safeParse(request.body)
    return order !== undefined && exceedsAllowance(needs, request, order.amountCents)
  }
  const onlyConfirmed = requireRight('refund', { stepUp })

  app.get<ById>('/transacoes/:id/devolver', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const { left } = await loadWhatIsLeft(needs, payment)
    if (left === 0) return redirectToPayment(reply, payment)
    return showRefundForm(request, reply, payment, { left, typed: createBlankRefund(left) })
  })

  app.get<ById>('/transacoes/:id/devolver/tudo', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const { left, surplusCents } = await loadWhatIsLeft(needs, payment)
    if (left === 0) return redirectToPayment(reply, payment)
    const order = { refundId: newId(), amountCents: left, reason: null }
    return showConfirmation(request, reply, payment, { ...order, surplusCents })
  })

  app.post<ById>('/transacoes/:id/devolver', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const { left, surplusCents } = await loadWhatIsLeft(needs, payment)
    if (left === 0) return redirectToPayment(reply, payment)
    const typed = readRefundFields(request)
    if (request.isKept) return showRefundForm(request, reply, payment, { left, typed })
    const form = readForm(buildRefundSchema(payment, left), request.body)
    if (form.kind === 'invalid')
      return showRefundForm(request, reply, payment, { left, typed, errors: form.errors })
    const { refundId, amount: amountCents, reason } = form.values
    const order = { refundId, amountCents, reason, surplusCents }
    return showConfirmation(request, reply, payment, order)
  })

  app.post<ById>('/transacoes/:id/devolver/confirmar', onlyConfirmed, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const { data: order } = ConfirmedRefund.safeParse(request.body)
    if (!order) return redirectToPayment(reply, payment)
    const refund = await executeOrder(needs, request, payment, order)
    const path = paymentPagePath(payment.id)
    if (refund.kind === 'saved') {
      await queueLargeRefundNotice(needs, request, order.amountCents)
      return reply.redirect(`${path}?${buildResultQuery(refund.saved)}`, 303)
    }

    const { left } = await loadWhatIsLeft(needs, payment)
    // The id may be used up: what is sent from here is another order.
    const typed = { ...createBlankRefund(order.amountCents), reason: order.reason ?? '' }
    return showRefundForm(request, reply, payment, { left, typed, errors: refund.errors })
  })

  function showRefundForm(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: ListedTransaction,
    form: RefundFormState,
  ) {
    return show(request, reply, 'dashboard/transactions/refund', buildRefundForm(payment, form))
  }

  function showConfirmation(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: ListedTransaction,
    { surplusCents, ...order }: ConfirmedRefund & { surplusCents: number },
  ) {
    const context = { tellsPayer: needs.mail !== null, surplusCents }
    const question = buildRefundQuestion(payment, order, context)
    return show(request, reply, 'dashboard/layout/confirm', question)
  }
}

async function executeOrder(
  needs: DashboardNeeds,
  request: FastifyRequest,
  payment: TransactionRow,
  order: ConfirmedRefund,
): Promise<SaveResult<RefundRow>> {
  const { refundId: id, ...what } = order
  const { amountCents } = what
  const { companyId, ...requestedBy } = getAuditActor(request)
  const allowance = getRefundAllowance(request, needs.now())
  const asked = { id, companyId, transactionId: payment.id, ...what, requestedBy, allowance }
  const result = await catchRefusal(executeRefund(needs, asked), toRefundErrors)
  if (result.kind === 'invalid' || result.saved.amountCents === amountCents) return result
  const message = words.otherAmount(formatBrl(result.saved.amountCents))
  return { kind: 'invalid', errors: [{ field: 'amount', message }] }
}

export function buildRefundForm(payment: TransactionRow, { left, ...form }: RefundFormState) {
  return {
    title: words.titles.form,
    section: 'transacoes' as const,
    payer: payment.payerName,
    back: paymentPagePath(payment.id),
    left: formatBrl(left),
    total: formatBrl(payment.totalCents),
    isHeld: isAmountMismatch(payment),
    isOpen: left > 0,
    ...form,
  }
}

export function buildRefundQuestion(
  payment: TransactionRow,
  order: ConfirmedRefund,
  context: RefundContext,
): PageParts<'dashboard/layout/confirm'> {
  const path = paymentPagePath(payment.id)
  const amount = formatBrl(order.amountCents)
  return {
    title: words.titles.confirm,
    section: 'transacoes',
    question: words.question(amount, payment.payerName),
    consequences: listRefundConsequences(payment, order, context),
    action: `${path}/devolver/confirmar`,
    button: words.button(amount),
    isDangerous: true,
    back: path,
    hidden: [
      { name: 'refundId', value: order.refundId },
      { name: 'amountCents', value: order.amountCents },
      { name: 'reason', value: order.reason ?? '' },
      ...(order.incomingPaymentId
        ? [{ name: 'incomingPaymentId', value: order.incomingPaymentId }]
        : []),
    ],
  }
}

const RefundId = z.uuidv7()
const { reason } = NewRefund.shape

const confirmedAmount = decimalField({ min: 1, max: Number.MAX_SAFE_INTEGER })
const ConfirmedRefund = z
  .object({
    refundId: RefundId,
    amountCents: confirmedAmount,
    reason,
    incomingPaymentId: z.uuid().optional(),
  })
  .transform((order) => ({ ...order, reason: order.reason || null }))

/** A held payment goes back whole, so that its form asks for no amount. */
function buildRefundSchema(payment: TransactionRow, left: number) {
  const amount = isAmountMismatch(payment)
    ? z.unknown().transform(() => left)
    : moneyField({ min: 1, max: left })
  return z.object({
    refundId: RefundId.catch(newId),
    amount,
    reason: optionalField(reason.unwrap().unwrap()),
  })
}

function createBlankRefund(cents: number): RefundFields {
  return { refundId: newId(), amount: formatBrlInput(cents), reason: '' }
}

function readRefundFields({ body }: FastifyRequest): RefundFields {
  const { refundId = newId(), amount = '', reason = '' } = readTypedFields(body)
  return { refundId, amount, reason }
}

function buildResultQuery({ id, status }: RefundRow) {
  if (status === 'failed') return `recusada=${id}`
  return `feito=${status === 'pending' ? 'devolucao-em-andamento' : 'devolvido'}`
}

/** Some of it was refunded meanwhile, or it is too late: said in the words of these pages. */
function toRefundErrors(refusal: AppError) {
  if (refusal.statusCode === 404) return undefined
  return [{ field: 'amount', message: getRefundErrorMessage(refusal) }]
}

function getRefundErrorMessage({ code, message }: AppError) {
  switch (code) {
    case 'refund_window_closed':
    case ALLOWANCE_EXCEEDED:
      return message
    case 'invalid_transition':
      return message === refundTexts.underWay ? words.underWay : words.notRefundable
    default:
      return words.changed
  }
}

export function redirectToPayment(reply: FastifyReply, { id }: TransactionRow) {
  return reply.redirect(paymentPagePath(id), 303)
}
