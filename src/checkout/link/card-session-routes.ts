// Routes for the script of a provider's frames: they give a key for one card, and begin its 3-D Secure. They charge
// nothing.

import type { FastifyInstance } from 'fastify'
import type { ProviderName } from '../../database/enums.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { buildNetworkLimits, enforceLimits } from '../../http/limiter.ts'
import { getLinkStatus } from '../../payment-links/payment-link.ts'
import { resolveTexts } from '../language.ts'
import type { CheckoutNeeds } from '../needs.ts'

/** A payer may try some cards; more cards are a sign of card testing. */
const SESSION_LIMIT = { max: 30, windowMs: MINUTE_MS }
const TOKEN_PATTERN = /^[\w-]{8,512}$/

type CardAccount = { companyId: string; provider: ProviderName }

type CardSessionRoute = { Params: { slug: string }; Body: { token?: unknown } | undefined }

export async function cardSessionRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.post<CardSessionRoute>('/:slug/card', async (request) => {
    const { id: reqId, params, body, ip, log } = request
    const t = resolveTexts(request)
    const limits = buildNetworkLimits('cards', ip, SESSION_LIMIT)
    await enforceLimits(needs.limiter, limits, t.failures.tooManyAttempts)
    const { companyId, provider } = await requireCardLink(params.slug)
    const token = body?.token
    if (token !== undefined && !isToken(token))
      throw new AppError(422, 'invalid_token', t.problems.card)

    return openSession({ companyId, provider }, token).catch((err: unknown) => {
      if (err instanceof AppError) throw err
      log.warn({ reqId, err, companyId }, 'a provider takes no card')
      throw new AppError(503, 'no_card_fields', t.card.closed)
    })
  })

  /** Throws 404 if the provider's script needs none of these routes. */
  async function openSession({ companyId, provider }: CardAccount, token: string | undefined) {
    const { openCardFields, setUpCard } = await needs.providers.open(companyId, provider)
    const session = await (token === undefined ? openCardFields?.() : setUpCard?.(token))
    if (!session) throw notFoundError()
    return session
  }

  /** The provider's account of an open link that takes cards. */
  async function requireCardLink(slug: string) {
    const { link, company } = (await needs.findLink(slug)) ?? {}
    const isOpen = link && getLinkStatus(link, needs.now()) === 'active'
    if (!isOpen || !link.methods.includes('credit_card')) throw notFoundError()
    if (!company?.cardProvider) throw notFoundError()
    return { companyId: company.id, provider: company.cardProvider }
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN_PATTERN.test(value)
}
