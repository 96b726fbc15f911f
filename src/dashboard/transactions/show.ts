// `/painel/transacoes/:id`: one payment, everything that happened to it, and what can be done about it.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../http/errors.ts'
import { paySandboxPix } from '../../providers/sandbox/sandbox.ts'
import { check } from '../../transactions/pay.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { pagesOf } from '../layout/page.ts'
import { paymentPath } from '../layout/paths.ts'
import { canSimulate, transactionDetail } from './detail.ts'
import { type ById, findOwnPayment } from './find.ts'

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
