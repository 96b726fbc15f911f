// `/painel/sair`: signs out. `/painel/ambiente`: switches between the test and the live environment; the session keeps
// the choice.
import type { FastifyInstance } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import { revokeSession, switchEnvironment } from '../../users/session.ts'
import { type DashboardNeeds, recordAct, requireRight } from '../layout/needs.ts'
import { SIGN_IN_PATH } from '../layout/paths.ts'
import { clearSessionCookie, parseReturnPath } from './session-guard.ts'

const OWN_SESSION = requireRight('ownAccount', { anyEnvironment: true })

/** Registered behind the session guard. */
export async function sessionRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.post('/sair', OWN_SESSION, async (request, reply) => {
    const { sessionId: id, user } = request.visitor
    await revokeSession(needs.db, { id, userId: user.id })
    await recordAct(needs, request, { action: 'sign_out' })
    return clearSessionCookie(reply, needs).redirect(SIGN_IN_PATH, 303)
  })

  app.post('/ambiente', OWN_SESSION, async (request, reply) => {
    const { para, voltar } = toRecord(request.body)
    await switchEnvironment(needs.db, request.visitor.sessionId, para !== 'real')
    return reply.redirect(parseReturnPath(voltar), 303)
  })
}
