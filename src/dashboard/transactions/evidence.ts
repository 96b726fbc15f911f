// `/painel/transacoes/:id/prova.html`: what is known of one payment, as a file that needs nothing else, for the bank or
// the provider that decides a dispute. The company adds its proof of delivery in a browser, and prints or sends it.
import type { FastifyInstance } from 'fastify'
import { requireFound } from '../../database/found.ts'
import { sendPage } from '../../http/html.ts'
import { findPaymentLink } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import type { FormRequest } from '../layout/form.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { loadTransactionDetail } from './detail.ts'
import { findRequestedPayment } from './view.ts'

export async function evidencePages(app: FastifyInstance, needs: DashboardNeeds) {
  app.get<ById>('/transacoes/:id/prova.html', requireRight('read'), async (request, reply) => {
    const evidence = await loadEvidence(needs, request)
    reply.header('content-disposition', `attachment; filename="prova-${evidence.payment.id}.html"`)
    return sendPage(reply, 'dashboard/transactions/evidence', evidence)
  })
}

/** The page of the payment, with the company and the link as they are now. */
export async function loadEvidence(needs: DashboardNeeds, request: FormRequest) {
  const { company } = request.visitor
  const row = await findRequestedPayment(needs.db, request)
  const [detail, found] = await Promise.all([
    loadTransactionDetail(needs, request),
    findPaymentLink(needs.db, company.id, row.paymentLinkId),
  ])
  const link = requireFound(found)
  return {
    ...detail,
    company,
    link,
    url: linkUrl(needs.checkoutUrl, row.linkSlug),
    now: needs.now(),
  }
}
