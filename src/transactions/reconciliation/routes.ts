// Receives providers' notifications, each at the unguessable address of a company's account. The body is kept as
// received, since a signature covers its bytes.

import type { FastifyInstance } from 'fastify'
import { MINUTE_MS } from '../../database/instant.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { buildNetworkLimits, enforceLimits, type Limiter } from '../../http/limiter.ts'
import { queueMail } from '../../mail/outbox.ts'
import { type AccountRow, findAccountByNotifyToken } from '../../providers/accounts.ts'
import type { Hint } from '../../providers/notification.ts'
import { recordNotification } from '../../providers/notification-log.ts'
import { ProviderDown } from '../../providers/provider.ts'
import { getAdapter, REAL_PROVIDERS, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import type { PayNeeds } from '../needs.ts'
import { createNotificationReader } from './notification.ts'

type NotificationRoute = {
  Params: { token: string }
  Querystring: Record<string, string | string[]>
  Body: Buffer | null | undefined
}

const NOTIFICATION_BODY_LIMIT = 262_144
/** The checks that a caller who knows the address can cause without a valid signature. */
const REFUSED_LIMIT = { max: 10, windowMs: MINUTE_MS }
const NOTIFICATION_LIMIT = { max: 600, windowMs: MINUTE_MS }

const NOTIFICATION_PATHS = REAL_PROVIDERS.flatMap((provider) =>
  ['', ...(getAdapter(provider).notifications.suffixes ?? [])].map(
    (suffix) => [`/${provider}/:token${suffix}`, provider] as const,
  ),
)

export async function notificationRoutes(
  app: FastifyInstance,
  needs: PayNeeds & { limiter: Limiter },
) {
  const { db, limiter, log, providers } = needs
  const { read, bringForward } = createNotificationReader(needs)

  app.removeAllContentTypeParsers()
  const asBuffer = { parseAs: 'buffer', bodyLimit: NOTIFICATION_BODY_LIMIT } as const
  app.addContentTypeParser('*', asBuffer, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async ({ ip }) => {
    await enforceLimits(limiter, buildNetworkLimits('notify', ip, NOTIFICATION_LIMIT))
  })

  for (const [url, provider] of NOTIFICATION_PATHS) {
    app.route<NotificationRoute>({
      method: ['GET', 'HEAD', 'POST'],
      url,
      exposeHeadRoute: false,
      config: { mayHoldCardData: true },
      handler: async (request, reply) => {
        const row = await findAccountByNotifyToken(db, request.params.token)
        if (row?.provider !== provider) throw notFoundError()
        const { companyId } = row
        const { body } = request
        // Banks test the address before they use it.
        if (body?.length) {
          const account = await openAccountOrFail(companyId, provider)
          const query = takeFirstOfEach(request.query)
          const reading = await account.readNotification({ headers: request.headers, query, body })
          if (reading.kind === 'forged') return refuse(row, reading.hints)
          await recordNotification(db, row, 'good', needs.now())
          await read({ companyId, provider }, reading.hints)
        }
        return reply.code(200).type('text/plain').send('')
      },
    })
  }

  async function openAccountOrFail(companyId: string, provider: RealProvider) {
    try {
      return await providers.open(companyId, provider)
    } catch (error) {
      if (error instanceof ProviderDown) throw new AppError(503, 'unavailable', texts.unavailable)
      throw error
    }
  }

  /** Answers 401. The named payments are still checked, up to a limit for each account. */
  async function refuse({ companyId, provider, testMode }: AccountRow, hints: Hint[]) {
    log.warn({ companyId, provider }, 'a notification was refused as forged')
    const mustInform = await recordNotification(db, { companyId, provider }, 'refused', needs.now())
    if (mustInform) {
      const data = { provider, testMode }
      const newMail = { template: 'notifications-refused', data } as const
      await queueMail(needs.mail, db, { companyId, now: needs.now() }, newMail)
    }
    const { exceeded } = await limiter.countHit(`refused:${companyId}:${provider}`, REFUSED_LIMIT)
    if (!exceeded) await bringForward({ companyId, provider }, hints)
    throw new AppError(401, '', providerAccountTexts.unknownNotification)
  }
}

/** Takes the first value of repeated parameters. */
function takeFirstOfEach(query: Record<string, string | string[]>) {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()[0]]))
}
