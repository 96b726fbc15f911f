// `/painel/transacoes/:id`: one payment, its history, and its actions. `/aceitar` approves a Pix with less than the
// price, with the received amount.
import type { FastifyInstance } from 'fastify'
import { formatBrl } from '../../format.ts'
import { acceptPayment } from '../../transactions/accept.ts'
import { isSandboxPix, simulatePayment } from '../../transactions/simulation/simulate.ts'
import { isAmountMismatch } from '../../transactions/transaction.ts'
import { type ById, type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { registerConfirmation } from '../layout/register.ts'
import { canSimulatePayment, loadTransactionDetail } from './detail.ts'
import { acceptTexts } from './texts.ts'
import { findRequestedPayment, loadRefundableAmount } from './view.ts'

const READ = requireRight('read')
const SIMULATE_PAYMENTS = requireRight('simulatePayments')

export async function transactionPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  app.get<ById>('/transacoes/:id', READ, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const detail = await loadTransactionDetail(needs, request, payment)
    return show(request, reply, 'dashboard/transactions/show', detail)
  })

  app.post<ById>('/transacoes/:id/simular', SIMULATE_PAYMENTS, async (request, reply) => {
    const payment = await findRequestedPayment(db, request)
    const path = paymentPagePath(payment.id)
    // It may have been paid or have expired since the page was shown.
    if (isSandboxPix(payment) && !canSimulatePayment(payment)) return reply.redirect(path, 303)
    await simulatePayment(needs, payment)
    return reply.redirect(`${path}?feito=pagamento-simulado`, 303)
  })
}

export async function acceptPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerConfirmation(app, '/transacoes/:id/aceitar', needs.show, {
    right: 'refund',
    load: async (request) => {
      const payment = await findRequestedPayment(needs.db, request)
      const { left } = await loadRefundableAmount(needs, payment)
      return isAmountMismatch(payment) && left > 0
        ? { payment, received: formatBrl(left) }
        : paymentPagePath(payment.id)
    },
    ask: ({ payment, received }) => ({
      title: acceptTexts.title,
      section: 'transacoes',
      question: acceptTexts.question(received, formatBrl(payment.totalCents)),
      consequences: acceptTexts.consequences(payment.payerEmail),
      button: acceptTexts.button(received),
      back: paymentPagePath(payment.id),
    }),
    confirm: async (request, { payment }) => {
      await acceptPayment(needs, payment, getAuditActor(request))
      return paymentPagePath(payment.id)
    },
  })
}
