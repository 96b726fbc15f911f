// Quotes the installments of one card, for a page on which the payer types it.

import type { FastifyInstance } from 'fastify'
import { MINUTE_MS } from '../../database/instant.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { buildNetworkLimits, enforceLimits } from '../../http/limiter.ts'
import { isQuotedByProvider } from '../../payment-links/installments.ts'
import { getLinkStatus } from '../../payment-links/payment-link.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { fetchCardQuotes, hashQuotes, parseBin } from '../quotes.ts'
import { toInstallmentOption } from './page.ts'

/** A payer may try several cards; more requests do not come from a payer. */
const QUOTE_LIMIT = { max: 30, windowMs: MINUTE_MS }

type QuoteRoute = { Params: { slug: string }; Body: { bin?: unknown } | undefined }

export async function quoteRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.post<QuoteRoute>('/:slug/quotes', async (request) => {
    const { id: reqId, params, body, ip, log } = request
    const t = resolveTexts(request)
    const limits = buildNetworkLimits('quotes', ip, QUOTE_LIMIT)
    await enforceLimits(needs.limiter, limits, t.failures.tooManyAttempts)
    const found = await needs.findLink(params.slug)
    if (!found || getLinkStatus(found.link, needs.now()) !== 'active') throw notFoundError()
    const { link, company } = found
    if (!link.methods.includes('credit_card') || !isQuotedByProvider(company)) throw notFoundError()
    const bin = parseBin(body?.bin)
    if (!bin) throw new AppError(422, 'invalid_bin', t.problems.card)

    const quotes = await fetchCardQuotes(needs.providers, found, bin).catch((err: unknown) => {
      log.warn({ reqId, err, companyId: company.id }, 'a provider quotes no installments')
      throw new AppError(503, 'no_quotes', t.problems.noQuotes)
    })
    const options = quotes.map((quote) => toInstallmentOption(quote, link.amountCents, t))
    return { quote: hashQuotes(quotes), options }
  })
}
