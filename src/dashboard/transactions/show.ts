// `/painel/transacoes/:id`: one payment, its history, and its actions.
import type { FastifyInstance } from 'fastify'
import { isSandboxPix, simulatePayment } from '../../transactions/simulation/simulate.ts'
import { registerPage } from '../layout/form.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { canSimulatePayment, loadTransactionDetail } from './detail.ts'
import { findRequestedPayment } from './view.ts'

const SIMULATE_PAYMENTS = requireRight('simulatePayments')

export async function transactionPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(
    app,
    needs,
    '/transacoes/:id',
    ['read', 'dashboard/transactions/show'],
    loadTransactionDetail,
  )

  app.post<ById>('/transacoes/:id/simular', SIMULATE_PAYMENTS, async (request, reply) => {
    const payment = await findRequestedPayment(needs.db, request)
    const path = paymentPagePath(payment.id)
    // It may have been paid or have expired since the page was shown.
    if (isSandboxPix(payment) && !canSimulatePayment(payment)) return reply.redirect(path, 303)
    await simulatePayment(needs, payment)
    return reply.redirect(`${path}?feito=pagamento-simulado`, 303)
  })
}
