// Who may come in: a session for every page, its token in every form, owners where only they may be.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { csrfToken, findSession, isCsrfToken } from '../../users/session.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { HOME, SIGN_IN } from '../layout/paths.ts'
import { takeUploads } from '../layout/upload.ts'
import { accessTexts } from './texts.ts'

const SESSION_DAYS = 7

type CookieNeeds = Pick<DashboardNeeds, 'baseUrl'>

/** `__Host-` binds the cookie to this host and https; browsers refuse the prefix on plain http. */
export function sessionCookie({ baseUrl }: CookieNeeds) {
  const secure = baseUrl.startsWith('https:')
  return {
    name: secure ? '__Host-painel' : 'painel',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
  }
}

export function sendSession(reply: FastifyReply, needs: CookieNeeds, token: string) {
  const { name, options } = sessionCookie(needs)
  return reply.setCookie(name, token, { ...options, maxAge: SESSION_DAYS * 86_400 })
}

export function endSession(reply: FastifyReply, needs: CookieNeeds) {
  const { name, options } = sessionCookie(needs)
  return reply.clearCookie(name, options)
}

/** Undefined for a stranger, and for a session that is over. */
export async function visitorOf(request: FastifyRequest, needs: DashboardNeeds) {
  const token = request.cookies[sessionCookie(needs).name]
  const session = token && (await findSession(needs.db, token, needs.now()))
  if (!token || !session) return undefined
  const { id: sessionId, user, company } = session
  return { token, visitor: { sessionId, csrf: csrfToken(token), user, company } }
}

/** Makes a scope one for people who are signed in. */
export async function requireVisitor(app: FastifyInstance, needs: DashboardNeeds) {
  await takeUploads(app)
  app.decorateRequest('visitor')

  app.addHook('onRequest', async (request, reply) => {
    const found = await visitorOf(request, needs)
    if (!found) return reply.redirect(signInThenBack(request), 303)
    request.visitor = found.visitor
    const { owners } = request.routeOptions.config
    if (owners && found.visitor.user.role !== 'owner') {
      throw new AppError(403, 'owners_only', accessTexts.ownersOnly)
    }
  })

  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const token = request.cookies[sessionCookie(needs).name]!
    const given = (request.body as { _csrf?: unknown } | undefined)?._csrf
    if (typeof given !== 'string' || !isCsrfToken(token, given)) {
      throw new AppError(403, 'form_expired', accessTexts.formExpired)
    }
  })
}

/** After signing in a person is where they wanted to be; a form that was sent is not sent again. */
function signInThenBack({ method, url }: FastifyRequest) {
  if (method !== 'GET' || url === HOME) return SIGN_IN
  return `${SIGN_IN}?voltar=${encodeURIComponent(url)}`
}

/** Where to go after signing in: an address of the dashboard and no other. */
export function backTo(given: unknown) {
  const isOurs = typeof given === 'string' && /^\/painel(\/[\w/-]*)?(\?[^\\\s]*)?$/.test(given)
  return isOurs ? given : HOME
}
