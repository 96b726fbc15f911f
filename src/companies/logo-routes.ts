// `/logos/:companyId/:file`: a company's logo, for everybody who is shown a payment of theirs; the one for
// the dark scheme below `escuro/`.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Database } from '../database/connect.ts'
import { isUuid } from '../database/id.ts'
import { isImageFile, sendImage } from '../http/uploads/image.ts'
import type { ColorScheme } from './brand-color.ts'
import { findLogo } from './logo.ts'

type LogoParams = { companyId: string; file: string }
type LogoRoute = { Params: LogoParams }

/** Without the session guard. Mails that were sent under an older logo show the one of today. */
export async function logoRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get<LogoRoute>('/logos/:companyId/:file', (request, reply) =>
    sendLogo(reply, request.params, 'light'),
  )

  app.get<LogoRoute>('/logos/:companyId/escuro/:file', (request, reply) =>
    sendLogo(reply, request.params, 'dark'),
  )

  async function sendLogo(
    reply: FastifyReply,
    { companyId, file }: LogoParams,
    scheme: ColorScheme,
  ) {
    const isOurs = isUuid(companyId) && isImageFile(file)
    return sendImage(reply, isOurs ? await findLogo(db, companyId, scheme) : undefined, file)
  }
}
