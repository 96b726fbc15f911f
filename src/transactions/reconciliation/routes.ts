// Where providers send their news, each to the unguessable address of a company's account. The body is
// kept as it came, since a signature covers its bytes.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { AppError, notFound, tooManyRequests } from '../../http/errors.ts'
import type { Limiter } from '../../http/limiter.ts'
import { findAccountByNotifyToken } from '../../providers/accounts.ts'
import { type Account, ProviderDown } from '../../providers/provider.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { PayNeeds } from '../needs.ts'
import { notificationReader } from './notification.ts'

type Needs = PayNeeds & { db: Database; limiter: Limiter }
type OfAccount = { Params: { token: string }; Body: Buffer | null | undefined }

const BODY_LIMIT = 262_144
const LIMIT = { max: 600, windowMs: 60_000 }

/** A bank appends `/pix` to the address that it was given; some do not. */
const PATHS: [string, RealProvider][] = [
  ['/pix-api/:token', 'pix-api'],
  ['/pix-api/:token/pix', 'pix-api'],
  ['/mercadopago/:token', 'mercadopago'],
]

export async function notifyRoutes(app: FastifyInstance, needs: Needs) {
  const { db, limiter, log, providers } = needs
  const read = notificationReader(needs)

  app.removeAllContentTypeParsers()
  const asBuffer = { parseAs: 'buffer', bodyLimit: BODY_LIMIT } as const
  app.addContentTypeParser('*', asBuffer, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async ({ ip }) => {
    const { exceeded, retryAfterMs } = await limiter.hit(`notify:${ip}`, LIMIT)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000))
  })

  for (const [url, provider] of PATHS) {
    app.route<OfAccount>({
      method: ['GET', 'HEAD', 'POST'],
      url,
      exposeHeadRoute: false,
      schema: { hide: true },
      config: { mayHoldCardData: true },
      handler: async (request, reply) => {
        const row = await findAccountByNotifyToken(db, request.params.token)
        if (row?.provider !== provider) throw notFound()
        const { companyId } = row
        // Banks try the address out before they use it.
        if (request.body?.length) {
          const account = await open(companyId, provider)
          await read({ companyId, provider }, hintsOf(request, account, companyId))
        }
        return reply.code(200).type('text/plain').send('')
      },
    })
  }

  async function open(companyId: string, provider: RealProvider) {
    try {
      return await providers.open(companyId, provider)
    } catch (error) {
      if (error instanceof ProviderDown) throw new AppError(503, 'unavailable', texts.unavailable)
      throw error
    }
  }

  function hintsOf(request: FastifyRequest<OfAccount>, account: Account, companyId: string) {
    const { headers, body } = request
    const query = request.query as Record<string, string>
    const hints = account.readNotification({ headers, query, body: body! }, needs.now())
    if (hints) return hints
    log.warn({ companyId, provider: account.name }, 'a notification was refused as forged')
    throw new AppError(401, '', providerAccountTexts.unknownNotification)
  }
}
