// `/painel/transacoes/:id/aceitar`: approves a Pix with less than the price, with the received amount.

import type { FastifyInstance } from 'fastify'
import { formatBrl } from '../../format.ts'
import { acceptPayment } from '../../transactions/accept.ts'
import { isAmountMismatch } from '../../transactions/transaction.ts'
import { registerConfirmation } from '../layout/forms/register.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { findRequestedPayment, loadRefundableAmount } from './find.ts'
import { acceptTexts } from './texts.ts'

export async function acceptPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerConfirmation(app, '/transacoes/:id/aceitar', createPageRenderer(needs), {
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
