// `/painel/transacoes/:id/devolver/excedente?pix=…`: refunds the surplus of one Pix after a question.

import type { FastifyInstance } from 'fastify'
import { newId } from '../../database/id.ts'
import { loadRefundable } from '../../transactions/refunds/create.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { redirectToStepUp } from '../access/step-up.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { findRequestedPayment } from './find.ts'
import { buildRefundQuestion, redirectToPayment } from './refund.ts'
import { exceedsAllowance } from './refund-allowance.ts'

const REFUND = requireRight('refund')

export async function surplusPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

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
