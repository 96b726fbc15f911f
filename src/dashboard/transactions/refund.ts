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
import { sumSurplus } from '../../transactions/refunds/refundable.ts'
import { isRefundIdUsed } from '../../transactions/refunds/request.ts'
import { refundTexts } from '../../transactions/refunds/texts.ts'
import type { RefundRow, TransactionRow } from '../../transactions/transaction.ts'
import { buildStepUpPath, FORM_TIME_MS, getConfirmedUntil } from '../access/step-up.ts'
import {
  catchRefusal,
  type FormRequest,
  readForm,
  readTypedFields,
  registerForm,
  type SaveResult,
} from '../layout/form.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  queueSecurityNotice,
  requireRight,
} from '../layout/needs.ts'
import { paymentPagePath } from '../layout/paths.ts'
import {
  type AskedRefund,
  buildRefundForm,
  buildRefundPath,
  buildRefundQuestion,
  buildRefundSchema,
  ConfirmedRefund,
  readRefundFields,
  toRefundFields,
} from './refund-form.ts'
import { refundPageTexts } from './texts.ts'
import { findMailedPayer, findRequestedPayment, loadRefundableAmount } from './view.ts'

const REFUND = requireRight('refund')
const words = refundPageTexts

/** `surplusCents`: the part of `left` that is surplus. */
type Refunded = { payment: ListedTransaction; left: number; surplusCents: number }

export async function refundPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  registerForm(app, '/transacoes/:id/devolver', {
    right: 'refund',
    load: (request) => loadRefunded(needs, request),
    toForm: ({ left }, { query }) => readRefundFields(query, left),
    readForm: ({ body }) => readRefundFields(body),
    parse: (typed, { payment, left }) => readForm(buildRefundSchema(payment, left), typed),
    async save(_request, _row, { refundId, amount: amountCents, reason }) {
      return { kind: 'saved', refund: { refundId, amountCents, reason } }
    },
    view: (request, reply, { form: typed, errors }, row) =>
      show(request, reply, 'dashboard/transactions/refund', {
        ...buildRefundForm(row.payment, { ...row, typed }),
        errors,
      }),
    done: ({ refund }, row, request, reply) =>
      askAboutRefund(needs, request, reply, { ...row, ...refund }),
  })

  registerForm(app, '/transacoes/:id/devolver/confirmar', {
    right: 'refund',
    async load(request) {
      const payment = await findRequestedPayment(db, request)
      const { data: refund } = ConfirmedRefund.safeParse(request.body)
      if (!refund) return paymentPagePath(payment.id)
      const isTooLate = await exceedsAllowance(needs, request, refund.amountCents)
      return isTooLate
        ? buildStepUpPath(buildRefundPath(payment, refund), true)
        : { payment, refund }
    },
    // The id may be used already: the form makes another refund.
    toForm: ({ refund }) => toRefundFields({ ...refund, refundId: newId() }),
    readForm: (_request, { refund }) => toRefundFields({ ...refund, refundId: newId() }),
    save: (request, { payment, refund }) => executeAskedRefund(needs, request, payment, refund),
    async view(request, reply, { form: typed, errors }, { payment }) {
      const rest = await loadRefundableAmount(needs, payment)
      const page = { ...buildRefundForm(payment, { ...rest, typed }), errors }
      return show(request, reply, 'dashboard/transactions/refund', page)
    },
    async done({ saved }, { payment, refund }, request, reply) {
      await queueLargeRefundNotice(needs, request, refund.amountCents)
      return reply.redirect(`${paymentPagePath(payment.id)}?${buildResultQuery(saved)}`, 303)
    },
  })

  app.get<ById>('/transacoes/:id/devolver/tudo', REFUND, async (request, reply) => {
    const row = await loadRefunded(needs, request)
    if (typeof row === 'string') return reply.redirect(row, 303)
    const refund = { refundId: newId(), amountCents: row.left, reason: null }
    return askAboutRefund(needs, request, reply, { ...row, ...refund })
  })

  app.get<ById>('/transacoes/:id/devolver/excedente', REFUND, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const { pix: incomingPaymentId = '' } = readTypedFields(request.query)
    const surplusCents = await getSurplusCents(needs, payment, incomingPaymentId)
    if (surplusCents === 0) return reply.redirect(paymentPagePath(payment.id), 303)
    const refund = { refundId: newId(), amountCents: surplusCents, reason: null, incomingPaymentId }
    return askAboutRefund(needs, request, reply, { ...refund, payment, surplusCents })
  })
}

/** Returns the payment's address when nothing can be refunded. */
async function loadRefunded(
  needs: DashboardNeeds,
  request: FormRequest,
): Promise<Refunded | string> {
  const payment = await findRequestedPayment(needs.db, request)
  const rest = await loadRefundableAmount(needs, payment)
  return rest.left === 0 ? paymentPagePath(payment.id) : { payment, ...rest }
}

async function askAboutRefund(
  needs: DashboardNeeds,
  request: FormRequest,
  reply: FastifyReply,
  { payment, surplusCents, ...refund }: Omit<Refunded, 'left'> & AskedRefund,
) {
  if (await exceedsAllowance(needs, request, refund.amountCents, FORM_TIME_MS)) {
    const isTyped = request.method === 'POST'
    const back = isTyped ? buildRefundPath(payment, refund) : request.url
    return reply.redirect(buildStepUpPath(back), 303)
  }
  const context = { mailedPayer: await findMailedPayer(needs, payment), surplusCents }
  // A form that is opened again from the browser's history asks about another refund.
  const isUsed = await isRefundIdUsed(needs.db, refund.refundId)
  const asked = isUsed ? { ...refund, refundId: newId() } : refund
  const question = buildRefundQuestion(payment, asked, context)
  return needs.show(request, reply, 'dashboard/layout/confirm', question)
}

async function executeAskedRefund(
  needs: DashboardNeeds,
  request: FastifyRequest,
  payment: TransactionRow,
  refund: ConfirmedRefund,
): Promise<SaveResult<RefundRow>> {
  const { refundId: id, ...what } = refund
  const { amountCents } = what
  const { companyId, ...requestedBy } = getAuditActor(request)
  const allowance = getRefundAllowance(request, needs.now())
  const asked = { id, companyId, transactionId: payment.id, ...what, requestedBy, allowance }
  const result = await catchRefusal(executeRefund(needs, asked), toRefundErrors)
  if (result.kind === 'invalid' || result.saved.amountCents === amountCents) return result
  const message = words.otherAmount(formatBrl(result.saved.amountCents))
  return { kind: 'invalid', errors: [{ field: 'amount', message }] }
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

/** 0 when it was refunded meanwhile, or is being refunded. */
async function getSurplusCents(
  { db, now }: DashboardNeeds,
  payment: TransactionRow,
  incomingPaymentId: string,
) {
  const refundable = await loadRefundable(db, payment, now())
  return refundable.kind === 'refused' ? 0 : sumSurplus(refundable.sources, incomingPaymentId)
}

export const REFUND_STEP_UP_CENTS = 100_000

/** Includes earlier refunds, since many small refunds are a large one. `leftMs`: the time that the person needs. */
async function exceedsAllowance(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  amountCents: number,
  leftMs = 0,
) {
  const allowance = getRefundAllowance(request, new Date(now().getTime() + leftMs))
  if (!allowance) return false
  return (await sumRequestedRefunds(db, allowance)) + amountCents > allowance.maxCents
}

/** Notifies the person and all owners once the refunds of a day exceed the allowance, even with a confirmation. */
async function queueLargeRefundNotice(
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
function getRefundAllowance(request: FastifyRequest, now: Date): RefundAllowance | undefined {
  const { user, company } = request.visitor
  const confirmedUntil = getConfirmedUntil(request).getTime()
  if (company.testMode || confirmedUntil > now.getTime()) return undefined
  const since = new Date(Math.max(confirmedUntil, now.getTime() - DAY_MS))
  return { userId: user.id, since, maxCents: REFUND_STEP_UP_CENTS }
}
