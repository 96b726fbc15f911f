// The installments of one card, asked for by the page while the payer types it.

import type { FastifyInstance } from 'fastify'
import { AppError, notFound, tooManyRequests } from '../../http/errors.ts'
import { isQuotedByProvider } from '../../payment-links/installments.ts'
import { statusOf } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { checkoutTexts } from '../texts.ts'
import { optionOf } from './page.ts'
import { binOf, quoteKey, quotesForCard } from './quotes.ts'
import type { CheckoutNeeds } from './routes.ts'

/** A payer may try some cards; a list of them is somebody else's. */
const QUOTES = { max: 30, windowMs: 60_000 }

type OfLink = { Params: { slug: string }; Body: { bin?: unknown } | undefined }

export async function quoteRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.post<OfLink>('/:slug/quotes', async ({ params, body, ip, log }) => {
    const { exceeded, retryAfterMs } = await needs.limiter.hit(`quotes:${ip}`, QUOTES)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)
    const found = await needs.findLink(params.slug)
    if (!found || statusOf(found.link, needs.now()) !== 'active') throw notFound()
    const { link, company } = found
    if (!link.methods.includes('credit_card') || !isQuotedByProvider(company)) throw notFound()
    const bin = binOf(body?.bin)
    if (!bin) throw new AppError(422, 'invalid_bin', checkoutTexts.card)

    const quotes = await quotesForCard(needs.providers, found, bin).catch((err: unknown) => {
      log.warn({ err, companyId: company.id }, 'a provider quotes no installments')
      throw new AppError(503, 'no_quotes', checkoutTexts.noQuotes)
    })
    const options = quotes.map((quote) => optionOf(quote, link.amountCents))
    return { quote: quoteKey(quotes), options }
  })
}
