// `/painel/transacoes/:id/devolver`: the amount, then a question that says exactly what will happen, then the refund.
// Its id is created with the form, so that a form sent twice refunds once. `/excedente?pix=…` refunds the surplus of
// one Pix. Beyond an allowance of live money for each day, or since the last confirmation, a person confirms their
// identity.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { formatBrl } from '../../format.ts'
import type { AppError } from '../../http/errors.ts'
import type { ListedTransaction } from '../../transactions/list/listed.ts'
import {
  ALLOWANCE_EXCEEDED,
  type RefundAllowance,
  sumRequestedRefunds,
} from '../../transactions/refunds/allowance.ts'
import { loadRefundable } from '../../transactions/refunds/create.ts'
import { executeRefund } from '../../transactions/refunds/execute.ts'
import { refundTexts } from '../../transactions/refunds/texts.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { getConfirmedUntil, redirectToStepUp } from '../access/step-up.ts'
import { catchRefusal, readForm, readTypedFields, type SaveResult } from '../layout/form.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  queueSecurityNotice,
  requireRight,
} from '../layout/needs.ts'
import type { PageParts } from '../layout/page.ts'
import { paymentPagePath } from '../layout/paths.ts'
import {
  buildRefundForm,
  buildRefundSchema,
  ConfirmedRefund,
  createBlankRefund,
  listRefundConsequences,
  type RefundContext,
  type RefundFields,
  type RefundFormState,
  readChangedOrder,
  readRefundFields,
  toRefundFields,
} from './refund-form.ts'
import { refundPageTexts } from './texts.ts'
import { findRequestedPayment, loadRefundableAmount } from './view.ts'

const REFUND = requireRight('refund')
const words = refundPageTexts

export async function refundPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs
  const stepUp = async (request: FastifyRequest) => {
    const { data: order } = ConfirmedRefund.safeParse(request.body)
    return order !== undefined && exceedsAllowance(needs, request, order.amountCents)
  }
  const onlyConfirmed = requireRight('refund', { stepUp })

  app.get<ById>('/transacoes/:id/devolver', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const rest = await loadRefundableAmount(needs, payment)
    if (rest.left === 0) return redirectToPayment(reply, payment)
    const typed = createBlankRefund(rest.left, readTypedFields(request.query))
    return showRefundForm(request, reply, payment, { ...rest, typed })
  })

  app.get<ById>('/transacoes/:id/devolver/tudo', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const { left, surplusCents } = await loadRefundableAmount(needs, payment)
    if (left === 0) return redirectToPayment(reply, payment)
    const order = { refundId: newId(), amountCents: left, reason: null }
    return showConfirmation(request, reply, payment, { ...order, surplusCents, back: request.url })
  })

  app.post<ById>('/transacoes/:id/devolver', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const rest = await loadRefundableAmount(needs, payment)
    if (rest.left === 0) return redirectToPayment(reply, payment)
    const changed = readChangedOrder(request)
    const typed = changed ? toRefundFields(changed) : readRefundFields(request)
    if (changed) return showRefundForm(request, reply, payment, { ...rest, typed })
    const form = readForm(buildRefundSchema(payment, rest.left), request.body)
    if (form.kind === 'invalid')
      return showRefundForm(request, reply, payment, { ...rest, typed, errors: form.errors })
    const { refundId, amount: amountCents, reason } = form.values
    const back = buildFilledFormPath(payment, typed)
    const order = { refundId, amountCents, reason, surplusCents: rest.surplusCents, back }
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

    const rest = await loadRefundableAmount(needs, payment)
    // The id may be used already: this form makes another refund.
    const typed = toRefundFields({ ...order, refundId: newId() })
    return showRefundForm(request, reply, payment, { ...rest, typed, errors: refund.errors })
  })

  function showRefundForm(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: ListedTransaction,
    form: RefundFormState,
  ) {
    return show(request, reply, 'dashboard/transactions/refund', buildRefundForm(payment, form))
  }

  /** `back` shows the same page again after the person has confirmed their identity. */
  async function showConfirmation(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: ListedTransaction,
    { surplusCents, back, ...order }: ConfirmedRefund & { surplusCents: number; back: string },
  ) {
    if (await exceedsAllowance(needs, request, order.amountCents))
      return redirectToStepUp(reply, back)
    const context = { tellsPayer: needs.mail !== null, surplusCents }
    const question = buildRefundQuestion(payment, order, context)
    return show(request, reply, 'dashboard/layout/confirm', question)
  }
}

/** The form with its typed values. */
function buildFilledFormPath({ id }: TransactionRow, { amount, reason }: RefundFields) {
  return `${paymentPagePath(id)}/devolver?${new URLSearchParams({ amount, reason })}`
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
    ...(!order.incomingPaymentId && { change: `${path}/devolver` }),
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

function buildResultQuery({ id, status }: RefundRow) {
  if (status === 'failed') return `recusada=${id}`
  return `feito=${status === 'pending' ? 'devolucao-em-andamento' : 'devolvido'}`
}

/** A part was refunded meanwhile, or it is too late: shown in the texts of these pages. */
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

export async function surplusPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  app.get<ById>('/transacoes/:id/devolver/excedente', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(needs.db, request)
    const { pix: incomingPaymentId = '' } = readTypedFields(request.query)
    const amountCents = await getSurplusCents(needs, payment, incomingPaymentId)
    if (amountCents === 0) return redirectToPayment(reply, payment)
    if (await exceedsAllowance(needs, request, amountCents))
      return redirectToStepUp(reply, request.url)
    const order = { refundId: newId(), amountCents, reason: null, incomingPaymentId }
    const context = { tellsPayer: needs.mail !== null, surplusCents: amountCents }
    const question = buildRefundQuestion(payment, order, context)
    return show(request, reply, 'dashboard/layout/confirm', question)
  })
}

/** 0 when it was refunded meanwhile, or is being refunded. */
async function getSurplusCents(
  { db, now }: DashboardNeeds,
  payment: TransactionRow,
  incomingPaymentId: string,
) {
  const refundable = await loadRefundable(db, payment, now())
  if (refundable.kind === 'refused') return 0
  const source = refundable.sources.find((one) => one.incomingPaymentId === incomingPaymentId)
  return source?.surplusCents ?? 0
}

export const REFUND_STEP_UP_CENTS = 100_000

/** Includes earlier refunds, since many small refunds are a large one. */
export async function exceedsAllowance(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  amountCents: number,
) {
  const allowance = getRefundAllowance(request, now())
  if (!allowance) return false
  return (await sumRequestedRefunds(db, allowance)) + amountCents > allowance.maxCents
}

/** Notifies the person and all owners once the refunds of a day exceed the allowance, even with a confirmation. */
export async function queueLargeRefundNotice(
  needs: DashboardNeeds,
  request: FastifyRequest,
  amountCents: number,
) {
  const { user, company } = request.visitor
  if (company.testMode) return
  const since = new Date(needs.now().getTime() - DAY_MS)
  const cents = await sumRequestedRefunds(needs.db, { userId: user.id, since })
  if (cents <= REFUND_STEP_UP_CENTS) return
  const subject = formatBrl(amountCents)
  await queueSecurityNotice(needs, request, { what: 'refund_asked', subject })
}

/** Undefined just after a confirmation, and for test payments. */
export function getRefundAllowance(
  request: FastifyRequest,
  now: Date,
): RefundAllowance | undefined {
  const { user, company } = request.visitor
  const confirmedUntil = getConfirmedUntil(request).getTime()
  if (company.testMode || confirmedUntil > now.getTime()) return undefined
  const since = new Date(Math.max(confirmedUntil, now.getTime() - DAY_MS))
  return { userId: user.id, since, maxCents: REFUND_STEP_UP_CENTS }
}
