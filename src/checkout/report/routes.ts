// "Denunciar este link": what a payer finds wrong with a link reaches whoever runs this service.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound, tooManyRequests } from '../../http/errors.ts'
import { contentPolicy, sendPage } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { buildCheckoutLayout } from '../layout.ts'
import { toLinkSummary } from '../link/page.ts'
import type { CheckoutNeeds } from '../link/routes.ts'
import { checkoutTexts } from '../texts.ts'
import type { AbuseReportViewModel } from '../view-models.ts'
import { AbuseReport, recordAbuseReport } from './report.ts'

const REPORT_LIMIT = { max: 5, windowMs: 60_000 }

type AbuseReportRoute = { Params: { slug: string }; Body: { reason?: unknown; details?: unknown } }
type AbuseReportState = Pick<AbuseReportViewModel, 'sent' | 'error' | 'values'>

export async function abuseReportRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.get<AbuseReportRoute>('/:slug/report', async (request, reply) => {
    const found = await find(request.params.slug)
    return send(reply, found, { sent: false, error: null, values: { reason: '', details: '' } })
  })

  app.post<AbuseReportRoute>('/:slug/report', async (request, reply) => {
    const found = await find(request.params.slug)
    const { exceeded, retryAfterMs } = await needs.limiter.hit(`report:${request.ip}`, REPORT_LIMIT)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)

    const report = AbuseReport.safeParse(request.body)
    const values = {
      reason: String(request.body?.reason ?? ''),
      details: String(request.body?.details ?? ''),
    }
    if (!report.success) {
      return send(reply.code(422), found, {
        sent: false,
        error: checkoutTexts.reportReason,
        values,
      })
    }
    await recordAbuseReport(needs.db, found.link.id, report.data)
    needs.log.warn({ slug: found.link.slug, reason: report.data.reason }, 'a payer reported a link')
    return send(reply, found, { sent: true, error: null, values })
  })

  async function find(slug: string) {
    const found = await needs.findLink(slug)
    if (!found) throw notFound()
    return found
  }

  async function send(
    reply: FastifyReply,
    { link, company }: LinkWithCompany,
    state: AbuseReportState,
  ) {
    const action = `${needs.mount}/${link.slug}/report`
    const shell = buildCheckoutLayout(company, {
      asset: needs.asset,
      testMode: false,
      reportUrl: null,
    })
    const page: AbuseReportViewModel = {
      ...shell,
      ...state,
      link: toLinkSummary(needs, link),
      action,
    }
    reply.header('content-security-policy', contentPolicy({ style: page.merchant.brandStyle }))
    return sendPage(app, reply, 'checkout/report', page)
  }
}
