// `/painel/transacoes/:id/devolver`: how much goes back, then a question that says exactly what will
// happen, then the refund. Its id is made with the form, so that however often one is sent, money goes
// back once.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { newId } from '../../database/id.ts'
import { formatBrl } from '../../format.ts'
import { AppError } from '../../http/errors.ts'
import type { Listed } from '../../transactions/list.ts'
import { giveBack } from '../../transactions/refunds/execute.ts'
import { leftToRefund, refundRefusal } from '../../transactions/refunds/refundable.ts'
import { refundTexts } from '../../transactions/refunds/texts.ts'
import { NewRefund } from '../../transactions/schema.ts'
import type { RefundRow } from '../../transactions/transaction.ts'
import { isHeld, type TransactionRow } from '../../transactions/transaction.ts'
import { brlField, money, optional, readForm, typedOf } from '../layout/form.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type PageParts, type Problem, pagesOf } from '../layout/page.ts'
import { paymentPath } from '../layout/paths.ts'
import { type ById, findOwnPayment } from './find.ts'
import { consequencesOf } from './refund-view.ts'
import { refundPageTexts } from './texts.ts'

const words = refundPageTexts
const owners = { config: { owners: true } }

type Order = { refundId: string; amountCents: number; reason: string | null }
type Typed = { refundId: string; amount: string; reason: string }
type Form = { left: number; typed: Typed; errors?: Problem[] }

export async function refundPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get<ById>('/transacoes/:id/devolver', owners, async (request, reply) => {
    const payment = await findOwnPayment(db, request)
    const left = await leftOf(payment)
    if (left === 0) return seePayment(reply, payment)
    return showForm(request, reply, payment, { left, typed: blank(left) })
  })

  app.get<ById>('/transacoes/:id/devolver/tudo', owners, async (request, reply) => {
    const payment = await findOwnPayment(db, request)
    const left = await leftOf(payment)
    if (left === 0) return seePayment(reply, payment)
    return ask(request, reply, payment, { refundId: newId(), amountCents: left, reason: null })
  })

  app.post<ById>('/transacoes/:id/devolver', owners, async (request, reply) => {
    const payment = await findOwnPayment(db, request)
    const left = await leftOf(payment)
    if (left === 0) return seePayment(reply, payment)
    const { values, errors } = readForm(formFor(payment, left), request.body)
    if (errors) return showForm(request, reply, payment, { left, typed: typedIn(request), errors })
    const { refundId, amount: amountCents, reason } = values
    return ask(request, reply, payment, { refundId, amountCents, reason })
  })

  app.post<ById>('/transacoes/:id/devolver/confirmar', owners, async (request, reply) => {
    const payment = await findOwnPayment(db, request)
    const { data: order } = Order.safeParse(request.body)
    if (!order) return seePayment(reply, payment)
    const refund = await orProblems(carryOut(request, payment, order))
    const path = paymentPath(payment.id)
    if (!Array.isArray(refund)) return reply.redirect(`${path}?${resultOf(refund)}`, 303)

    const left = await leftOf(payment)
    // The id may be used up: what is sent from here is another order.
    const typed = { ...blank(order.amountCents), reason: order.reason ?? '' }
    return showForm(request, reply, payment, { left, typed, errors: refund })
  })

  /** 0 when nothing can go back. */
  async function leftOf(payment: TransactionRow) {
    return refundRefusal(payment, needs.now()) ? 0 : leftToRefund(db, payment)
  }

  function showForm(request: FastifyRequest, reply: FastifyReply, payment: Listed, form: Form) {
    return show(request, reply, 'transactions/refund', formPage(payment, form))
  }

  function ask(request: FastifyRequest, reply: FastifyReply, payment: Listed, order: Order) {
    const question = questionPage(payment, order, { tellsPayer: needs.mail !== null })
    return show(request, reply, 'confirm', question)
  }

  async function carryOut(request: FastifyRequest, payment: TransactionRow, order: Order) {
    const { refundId: id, amountCents, reason } = order
    const { companyId, ...by } = actorOf(request)
    const refund = await giveBack(needs, {
      ...{ id, companyId, transactionId: payment.id, amountCents, reason, by },
    })
    if (refund.amountCents === amountCents) return refund
    return [{ field: 'amount', message: words.otherAmount(formatBrl(refund.amountCents)) }]
  }
}

function formPage(payment: TransactionRow, { left, ...form }: Form): PageParts {
  return {
    title: words.titles.form,
    section: 'transacoes',
    payer: payment.payerName,
    back: paymentPath(payment.id),
    left: formatBrl(left),
    total: formatBrl(payment.totalCents),
    isHeld: isHeld(payment),
    isOpen: left > 0,
    ...form,
  }
}

function questionPage(
  payment: TransactionRow,
  order: Order,
  context: { tellsPayer: boolean },
): PageParts {
  const path = paymentPath(payment.id)
  const amount = formatBrl(order.amountCents)
  return {
    title: words.titles.confirm,
    section: 'transacoes',
    question: words.question(amount, payment.payerName),
    consequences: consequencesOf(payment, order, context),
    action: `${path}/devolver/confirmar`,
    button: words.button(amount),
    isDangerous: true,
    back: path,
    hidden: [
      { name: 'refundId', value: order.refundId },
      { name: 'amountCents', value: order.amountCents },
      { name: 'reason', value: order.reason ?? '' },
    ],
  }
}

const id = z.uuidv7()
const { reason } = NewRefund.shape

const Order = z
  .object({ refundId: id, amountCents: z.coerce.number().int().positive(), reason })
  .transform((order) => ({ ...order, reason: order.reason || null }))

/** A held payment goes back whole, so that its form asks for no amount. */
function formFor(payment: TransactionRow, left: number) {
  const amount = isHeld(payment) ? z.unknown().transform(() => left) : money({ min: 1, max: left })
  return z.object({ refundId: id.catch(newId), amount, reason: optional(reason.unwrap().unwrap()) })
}

function blank(cents: number): Typed {
  return { refundId: newId(), amount: brlField(cents), reason: '' }
}

function typedIn({ body }: FastifyRequest): Typed {
  const { refundId = newId(), amount = '', reason = '' } = typedOf(body)
  return { refundId, amount, reason }
}

function resultOf({ id, status }: RefundRow) {
  if (status === 'failed') return `recusada=${id}`
  return `feito=${status === 'pending' ? 'devolucao-em-andamento' : 'devolvido'}`
}

/** Somebody gave some of it back meanwhile, or it is too late: said in the words of these pages. */
async function orProblems(
  carriedOut: Promise<RefundRow | Problem[]>,
): Promise<RefundRow | Problem[]> {
  return carriedOut.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.statusCode === 404) throw error
    return [{ field: 'amount', message: problemOf(error) }]
  })
}

function problemOf({ code, message }: AppError) {
  switch (code) {
    case 'refund_window_closed':
      return message
    case 'invalid_transition':
      return message === refundTexts.underWay ? words.underWay : words.notRefundable
    default:
      return words.changed
  }
}

function seePayment(reply: FastifyReply, { id }: TransactionRow) {
  return reply.redirect(paymentPath(id), 303)
}
