// Who may come in: a session for every page, its token in every form, owners where only they may be.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { registerUploads } from '../../http/uploads/multipart.ts'
import { deriveCsrfToken, findSession, isCsrfToken } from '../../users/session.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { HOME_PATH, SIGN_IN_PATH } from '../layout/paths.ts'
import { accessTexts } from './texts.ts'

const SESSION_DAYS = 7
/** More than strangers may send: a form that waits for step-up is within another. */
const FORM_BYTES = 65_536

type CookieNeeds = Pick<DashboardNeeds, 'baseUrl'>

/** `__Host-` binds the cookie to this host and https; browsers refuse the prefix on plain http. */
export function getSessionCookie({ baseUrl }: CookieNeeds) {
  const secure = baseUrl.startsWith('https:')
  return {
    name: secure ? '__Host-painel' : 'painel',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
  }
}

export function setSessionCookie(reply: FastifyReply, needs: CookieNeeds, token: string) {
  const { name, options } = getSessionCookie(needs)
  return reply.setCookie(name, token, { ...options, maxAge: SESSION_DAYS * 86_400 })
}

export function clearSessionCookie(reply: FastifyReply, needs: CookieNeeds) {
  const { name, options } = getSessionCookie(needs)
  return reply.clearCookie(name, options)
}

/** Undefined for a stranger, and for a session that is over. */
export async function findVisitor(request: FastifyRequest, needs: DashboardNeeds) {
  const token = request.cookies[getSessionCookie(needs).name]
  const session = token && (await findSession(needs.db, token, needs.now()))
  if (!token || !session) return undefined
  const { id: sessionId, user, company, confirmedAt } = session
  const csrf = deriveCsrfToken(token, company.testMode)
  return { token, visitor: { sessionId, csrf, user, company, confirmedAt } }
}

/** Makes a scope one for people who are signed in. */
export async function requireVisitor(app: FastifyInstance, needs: DashboardNeeds) {
  await registerUploads(app)
  app.decorateRequest('visitor')
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= FORM_BYTES
  })

  app.addHook('onRequest', async (request, reply) => {
    const found = await findVisitor(request, needs)
    if (!found) return reply.redirect(buildSignInPath(request), 303)
    request.visitor = found.visitor
    const { owners } = request.routeOptions.config
    if (owners && found.visitor.user.role !== 'owner') {
      throw new AppError(403, 'owners_only', accessTexts.ownersOnly)
    }
  })

  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    checkFormToken(request, request.cookies[getSessionCookie(needs).name])
  })
}

/** A form of this session, and of the environment that it is in; or 403, or 409. */
function checkFormToken({ body, visitor, routeOptions }: FastifyRequest, session = '') {
  const { _csrf: given } = toRecord(body)
  const { testMode } = visitor.company
  const isOf = (one: boolean) => typeof given === 'string' && isCsrfToken(session, one, given)
  if (isOf(testMode)) return
  if (!isOf(!testMode)) throw new AppError(403, 'form_expired', accessTexts.formExpired)
  if (routeOptions.config.anyEnvironment) return
  throw new AppError(409, 'environment_changed', accessTexts.environmentChanged(testMode))
}

/** After signing in a person is where they wanted to be; a form that was sent is not sent again. */
function buildSignInPath({ method, url }: FastifyRequest) {
  if (method !== 'GET' || url === HOME_PATH) return SIGN_IN_PATH
  return `${SIGN_IN_PATH}?voltar=${encodeURIComponent(url)}`
}

/** Where to go after signing in: an address of the dashboard and no other. */
export function parseReturnPath(given: unknown) {
  const isOurs = typeof given === 'string' && /^\/painel(\/[\w/-]*)?(\?[^\\\s]*)?$/.test(given)
  return isOurs ? given : HOME_PATH
}
