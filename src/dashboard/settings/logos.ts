// `/logos/:companyId/:file`: a company's logo, for everybody who is shown a payment of theirs.
import type { FastifyInstance } from 'fastify'
import { findLogo } from '../../companies/logo.ts'
import type { Database } from '../../database/connect.ts'
import { isUuid } from '../../database/id.ts'
import { notFoundError } from '../../http/errors.ts'

type LogoRoute = { Params: { companyId: string; file: string } }

const LOGO_FILE = /^[0-9a-f]{16}\.webp$/

/** Without the session guard. The file is named after its content, so it may be kept for ever. */
export async function logoRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get<LogoRoute>('/logos/:companyId/:file', async (request, reply) => {
    const { companyId, file } = request.params
    const isOurs = isUuid(companyId) && LOGO_FILE.test(file)
    const logo = isOurs ? await findLogo(db, companyId) : undefined
    if (!logo) throw notFoundError()
    // Mails that were sent under an older logo show the one of today.
    const current = `${logo.hash}.webp`
    if (file !== current) return reply.redirect(current, 302)
    return reply
      .type(logo.contentType)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(logo.content)
  })
}
