// `/painel/transacoes/:id`: one payment, everything that happened to it, and what can be done about it.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../http/errors.ts'
import { paySandboxPix } from '../providers/sandbox.ts'
import { check } from '../transactions/pay.ts'
import type { DashboardNeeds } from './needs.ts'
import { type ById, findOwnPayment } from './own-payment.ts'
import { pagesOf } from './page.ts'
import { paymentPath } from './payment-shape.ts'
import { canSimulate, transactionDetail } from './transaction-detail.ts'

export async function transactionPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get<ById>('/transacoes/:id', async (request, reply) => {
    const payment = await findOwnPayment(db, request)
    const detail = await transactionDetail(needs, request, payment)
    return show(request, reply, 'transactions/detail', detail)
  })

  app.post<ById>('/transacoes/:id/simular', async (request, reply) => {
    const payment = await findOwnPayment(db, request)
    const { id: transactionId, totalCents: amountCents, provider } = payment
    if (provider !== 'sandbox' || payment.method !== 'pix') throw notFound()
    const path = paymentPath(transactionId)
    // It may have been paid, or have run out, since the page was shown.
    if (!canSimulate(payment)) return reply.redirect(path, 303)
    await paySandboxPix(db, { transactionId, amountCents }, needs.now())
    await check(needs, payment)
    return reply.redirect(`${path}?feito=pagamento-simulado`, 303)
  })
}
