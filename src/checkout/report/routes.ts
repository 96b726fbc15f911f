// "Denunciar este link": a payer's report about a link goes to the operator of this service.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { maskCardNumbers } from '../../card-numbers.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { isCardDataRefusal } from '../../http/card-data.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { askToWait, buildNetworkLimits, countHits } from '../../http/limiter.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { resolveTexts } from '../language.ts'
import { buildLinkPage, sendCheckoutPage } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { reportPath } from '../paths.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { AbuseReport, recordAbuseReport } from './report.ts'

const REPORT_LIMIT = { max: 5, windowMs: MINUTE_MS }

type AbuseReportRoute = { Params: { slug: string }; Body: { reason?: unknown; details?: unknown } }
type AbuseReportState = {
  sent: boolean
  errors: { form?: string; reason?: string; details?: string }
  /** The values typed before. */
  values: { reason: string; details: string }
  t: CheckoutTexts
}

export async function abuseReportRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.get<AbuseReportRoute>('/:slug/report', async (request, reply) => {
    const found = await findLink(request.params.slug)
    const values = { reason: '', details: '' }
    return sendReport(reply, found, {
      sent: false,
      errors: {},
      values,
      t: resolveTexts(request),
    })
  })

  app.post<AbuseReportRoute>(
    '/:slug/report',
    { errorHandler: showCardData },
    async (request, reply) => {
      const found = await findLink(request.params.slug)
      const t = resolveTexts(request)
      const values = {
        reason: String(request.body?.reason ?? ''),
        details: String(request.body?.details ?? ''),
      }
      const limits = buildNetworkLimits('report', request.ip, REPORT_LIMIT)
      const { exceeded, retryAfterMs } = await countHits(needs.limiter, limits)
      if (exceeded) {
        const errors = { form: t.failures.tooManyAttempts }
        askToWait(reply, retryAfterMs)
        return sendReport(reply, found, { sent: false, errors, values, t })
      }

      const report = AbuseReport.safeParse(request.body)
      if (!report.success) {
        const errors = nameErrors(report.error, t.report)
        return sendReport(reply.code(422), found, { sent: false, errors, values, t })
      }
      await recordAbuseReport(needs.db, found.link.id, report.data)
      needs.log.warn(
        { slug: found.link.slug, reason: report.data.reason },
        'a payer reported a link',
      )
      return sendReport(reply, found, { sent: true, errors: {}, values, t })
    },
  )

  /** Shows the form again with the typed text, without the card number. */
  async function showCardData(
    error: Error,
    request: FastifyRequest<AbuseReportRoute>,
    reply: FastifyReply,
  ) {
    if (!isCardDataRefusal(error)) throw error
    const found = await findLink(request.params.slug)
    const t = resolveTexts(request)
    const { reason, details } = toRecord(request.body)
    const values = {
      reason: maskCardNumbers(String(reason ?? '')),
      details: maskCardNumbers(String(details ?? '')),
    }
    const errors = { details: t.report.cardNumber }
    return sendReport(reply.code(422), found, { sent: false, errors, values, t })
  }

  async function findLink(slug: string) {
    const found = await needs.findLink(slug)
    if (!found) throw notFoundError()
    return found
  }

  function sendReport(reply: FastifyReply, found: LinkWithCompany, state: AbuseReportState) {
    return sendCheckoutPage(reply, 'checkout/report/page', buildReportPage(needs, found, state))
  }
}

export function buildReportPage(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  state: AbuseReportState,
) {
  const address = reportPath(needs, found.link.slug)
  return { ...buildLinkPage(needs, found, { t: state.t, address }), ...state }
}

function nameErrors(
  { issues }: z.ZodError,
  { reasonMissing, detailsWrong }: CheckoutTexts['report'],
) {
  const wrong = issues.map(({ path }) => path[0])
  return {
    ...(wrong.includes('reason') && { reason: reasonMissing }),
    ...(wrong.includes('details') && { details: detailsWrong }),
  }
}
