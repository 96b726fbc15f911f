// `/logos/:companyId/:file`: a company's logo, public because payers see it.
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { isUuid } from '../database/id.ts'
import { isImageFile, sendImage } from '../http/image.ts'
import { findLogo } from './logo.ts'

type LogoRoute = { Params: { companyId: string; file: string } }

/** Needs no session. Mails with the address of a former logo show the current one. */
export async function logoRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get<LogoRoute>('/logos/:companyId/:file', async ({ params: { companyId, file } }, reply) => {
    const isOurs = isUuid(companyId) && isImageFile(file)
    return sendImage(reply, isOurs ? await findLogo(db, companyId) : undefined, file)
  })
}
