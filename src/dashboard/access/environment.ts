// `/painel/ambiente`: from the test environment into the real one, and back. The session keeps it.

import type { FastifyInstance } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import { switchEnvironment } from '../../users/session.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { parseReturnPath } from './return-path.ts'

/** Behind the session guard. */
export async function environmentRoutes(app: FastifyInstance, { db }: DashboardNeeds) {
  app.post(
    '/ambiente',
    requireRight('ownAccount', { anyEnvironment: true }),
    async (request, reply) => {
      const { para, voltar } = toRecord(request.body)
      await switchEnvironment(db, request.visitor.sessionId, para !== 'real')
      return reply.redirect(parseReturnPath(voltar), 303)
    },
  )
}
