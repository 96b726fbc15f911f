// `/painel/entrar`: password, then the code of the second step where a person has one; and out again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { tooManyRequests } from '../../http/errors.ts'
import { sendPage } from '../../http/html.ts'
import { closeSession } from '../../users/session.ts'
import { type CodeSignIn, type SignIn, signIn, signInWithCode } from '../../users/sign-in.ts'
import { hasUsers } from '../../users/user.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import type { Problem } from '../layout/page.ts'
import { HOME, SIGN_IN } from '../layout/paths.ts'
import { doneTexts } from '../layout/texts.ts'
import { backTo, endSession, visitorOf } from './session-guard.ts'
import { letIn } from './start-session.ts'
import { signInTexts } from './texts.ts'

const Password = z.object({ email: z.string().max(254), password: z.string().max(1024) })
const Code = z.object({ ticket: z.string().max(1024), code: z.string().max(32) })

type Door = { email: string; ticket: string | null; back: string; errors: Problem[] }

/** Before the gate. */
export async function signInRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.get('/entrar', async (request, reply) => {
    if (!(await hasUsers(needs.db))) return reply.redirect('/configurar', 303)
    if (await visitorOf(request, needs)) return reply.redirect(HOME, 303)
    const { voltar, feito } = request.query as Record<string, unknown>
    const done = feito === 'senha' ? doneTexts.senha : null
    return show(reply, { email: '', ticket: null, back: backTo(voltar), errors: [], done })
  })

  app.post('/entrar', async (request, reply) => {
    const { voltar } = (request.body ?? {}) as Record<string, unknown>
    const form = Password.safeParse(request.body)
    const { email, password } = form.data ?? { email: '', password: '' }
    const answer = await signIn(needs.db, { email, password }, from(request))
    return follow(request, reply, answer, { email, ticket: null, back: backTo(voltar) })
  })

  app.post('/entrar/codigo', async (request, reply) => {
    const { voltar } = (request.body ?? {}) as Record<string, unknown>
    const form = Code.safeParse(request.body)
    const { ticket, code } = form.data ?? { ticket: '', code: '' }
    const answer = await signInWithCode(needs.db, { ticket, code }, from(request))
    return follow(request, reply, answer, { email: '', ticket, back: backTo(voltar) })
  })

  function from({ ip: address }: FastifyRequest) {
    return { limiter: needs.limiter, seal: needs.seal, address, now: needs.now() }
  }

  async function follow(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: SignIn | CodeSignIn,
    door: Omit<Door, 'errors'>,
  ) {
    switch (answer.kind) {
      case 'in':
        await letIn(request, reply, needs, answer.userId)
        return reply.redirect(door.back, 303)
      case 'code':
        return show(reply, { ...door, ticket: answer.ticket, errors: [] })
      case 'expired':
        return show(reply.code(422), { ...door, ticket: null, errors: refusal('expired') })
      case 'refused':
        return show(reply.code(422), {
          ...door,
          errors: refusal(door.ticket ? 'code' : 'password'),
        })
      case 'wait':
        throw tooManyRequests(Math.ceil(answer.retryAfterMs / 1000), signInTexts.wait)
    }
  }

  function show(reply: FastifyReply, door: Door & { done?: string | null }) {
    const view = door.ticket ? 'sign-in-code' : 'sign-in'
    return sendPage(app, reply, `dashboard/${view}`, { done: null, ...door, asset: needs.asset })
  }
}

function refusal(kind: 'password' | 'code' | 'expired'): Problem[] {
  const field = kind === 'code' ? 'code' : 'email'
  return [{ field, message: signInTexts[kind] }]
}

/** Behind the gate. */
export async function signOutRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.post('/sair', async (request, reply) => {
    const { sessionId: id, user } = request.visitor
    await closeSession(needs.db, { id, userId: user.id })
    await recordAudit(needs.db, { ...actorOf(request), action: 'sign_out', now: needs.now() })
    return endSession(reply, needs).redirect(SIGN_IN, 303)
  })
}
