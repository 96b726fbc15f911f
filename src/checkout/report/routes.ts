// "Denunciar este link": what a payer finds wrong with a link reaches whoever runs this service.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound, tooManyRequests } from '../../http/errors.ts'
import { contentPolicy, sendPage } from '../../http/html.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { summaryOf } from '../link/page.ts'
import type { CheckoutNeeds } from '../link/routes.ts'
import { shellOf } from '../shell.ts'
import { checkoutTexts } from '../texts.ts'
import type { ReportPage } from '../view-models.ts'
import { Report, recordReport } from './report.ts'

const REPORTS = { max: 5, windowMs: 60_000 }

type OfLink = { Params: { slug: string }; Body: { reason?: unknown; details?: unknown } }
type State = Pick<ReportPage, 'sent' | 'error' | 'values'>

export async function reportRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.get<OfLink>('/:slug/report', async (request, reply) => {
    const found = await find(request.params.slug)
    return send(reply, found, { sent: false, error: null, values: { reason: '', details: '' } })
  })

  app.post<OfLink>('/:slug/report', async (request, reply) => {
    const found = await find(request.params.slug)
    const { exceeded, retryAfterMs } = await needs.limiter.hit(`report:${request.ip}`, REPORTS)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)

    const report = Report.safeParse(request.body)
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
    await recordReport(needs.db, found.link.id, report.data)
    needs.log.warn({ slug: found.link.slug, reason: report.data.reason }, 'a payer reported a link')
    return send(reply, found, { sent: true, error: null, values })
  })

  async function find(slug: string) {
    const found = await needs.findLink(slug)
    if (!found) throw notFound()
    return found
  }

  async function send(reply: FastifyReply, { link, company }: LinkWithCompany, state: State) {
    const action = `${needs.mount}/${link.slug}/report`
    const shell = shellOf(company, { asset: needs.asset, testMode: false, reportUrl: null })
    const page: ReportPage = { ...shell, ...state, link: summaryOf(needs, link), action }
    reply.header('content-security-policy', contentPolicy({ style: page.merchant.brandStyle }))
    return sendPage(app, reply, 'checkout/report', page)
  }
}
