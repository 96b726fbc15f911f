// Guards the dashboard: every page needs a session, every form its token, and every route its right. After signing in
// a person continues at the page that was asked for.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { registerUploads } from '../../http/uploads.ts'
import { texts } from '../../texts.ts'
import { hasRight, listRolesWith } from '../../users/roles.ts'
import { deriveCsrfToken, findSession, isCsrfToken } from '../../users/session.ts'
import { FORM_EXPIRED, NOT_ALLOWED } from '../layout/error-page.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { HOME_PATH, SIGN_IN_PATH } from '../layout/paths.ts'
import { accessTexts } from './texts.ts'

const SESSION_DAYS = 7
/** More than strangers may send. */
const FORM_BYTES = 65_536

/** `__Host-` binds the cookie to this host and https; browsers refuse the prefix on plain http. */
export function getSessionCookie({ baseUrl }: { baseUrl: string }) {
  const secure = baseUrl.startsWith('https:')
  return {
    name: secure ? '__Host-painel' : 'painel',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
  }
}

export function setSessionCookie(reply: FastifyReply, needs: DashboardNeeds, token: string) {
  const { name, options } = getSessionCookie(needs)
  return reply.setCookie(name, token, { ...options, maxAge: SESSION_DAYS * 86_400 })
}

export function clearSessionCookie(reply: FastifyReply, needs: DashboardNeeds) {
  const { name, options } = getSessionCookie(needs)
  return reply.clearCookie(name, options)
}

/** Undefined without a valid session. */
export async function findVisitor(request: FastifyRequest, needs: DashboardNeeds) {
  const token = request.cookies[getSessionCookie(needs).name]
  const { isBackground = false } = request.routeOptions.config
  const session = token && (await findSession(needs.db, token, needs.now(), !isBackground))
  if (!token || !session) return undefined
  const { id: sessionId, user, company, confirmedAt } = session
  const csrf = deriveCsrfToken(token, company.testMode)
  return { token, visitor: { sessionId, csrf, user, company, confirmedAt } }
}

/** Limits a scope to signed-in people. */
export async function requireVisitor(app: FastifyInstance, needs: DashboardNeeds) {
  await registerUploads(app)
  app.decorateRequest('visitor')
  app.addHook('onRoute', (route) => {
    // Registering a route without a right throws.
    if (!route.config?.right) throw new Error(`Say which right ${route.url} needs`)
    route.bodyLimit ??= FORM_BYTES
  })

  app.addHook('onRequest', async (request, reply) => {
    const found = await findVisitor(request, needs)
    if (!found) return request.is404 ? undefined : reply.redirect(buildSignInPath(request), 303)
    request.visitor = found.visitor
    checkRight(request)
    return undefined
  })

  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.is404) return
    checkFormToken(request, request.cookies[getSessionCookie(needs).name])
  })
}

/** Throws 403, naming the roles with the right and the person's own role. */
function checkRight({ visitor, routeOptions }: FastifyRequest) {
  const { right } = routeOptions.config
  const { role } = visitor.user
  if (!right || hasRight(role, right)) return
  const allowed = listRolesWith(right).map((one) => texts.roles[one])
  throw new AppError(403, NOT_ALLOWED, accessTexts.notAllowed(allowed, texts.roles[role]))
}

/** Throws 403 for a form of another session, and 409 for one of the other environment, if that matters. */
function checkFormToken({ body, visitor, routeOptions }: FastifyRequest, session = '') {
  const { _csrf: given } = toRecord(body)
  const { testMode } = visitor.company
  const isOf = (one: boolean) => typeof given === 'string' && isCsrfToken(session, one, given)
  if (isOf(testMode)) return
  if (!isOf(!testMode)) throw new AppError(403, FORM_EXPIRED, accessTexts.formExpired)
  if (routeOptions.config.anyEnvironment) return
  throw new AppError(409, 'environment_changed', accessTexts.environmentChanged(testMode))
}

/** After signing in, the person returns to the requested page, or to the page of the form that was sent. */
function buildSignInPath(request: FastifyRequest) {
  const back = findReturnPath(request)
  const query = new URLSearchParams()
  if (back !== HOME_PATH) query.set('voltar', back)
  if (request.method === 'POST') query.set('enviado', 'sim')
  return query.size === 0 ? SIGN_IN_PATH : `${SIGN_IN_PATH}?${query}`
}

const FILE = /\.(csv|xlsx|svg|png)(\?|$)/

/** Returns the requested page; for a form the page that its address names, its own, or the page with its button. */
export function findReturnPath(request: FastifyRequest) {
  const { method, url, query, headers, routeOptions, server } = request
  const { voltar } = toRecord(query)
  if (method === 'POST' && voltar !== undefined) return parseReturnPath(voltar)
  // A file is no page: the person is led to the page with its button.
  if (method !== 'POST' && !FILE.test(url)) return parseReturnPath(url)
  const from = URL.parse(headers.referer ?? '')
  const page = from && from.pathname + from.search
  const isOwnPage = server.hasRoute({ method: 'GET', url: routeOptions.url ?? '' })
  const isSentToItself = isOwnPage && method === 'POST' && from?.pathname !== url.split('?')[0]
  return parseReturnPath(isSentToItself ? url : page)
}

/** Accepts only addresses of the dashboard. */
export function parseReturnPath(given: unknown) {
  const isOurs = typeof given === 'string' && /^\/painel(\/[\w/-]*)?(\?[^\\\s]*)?$/.test(given)
  return isOurs ? given : HOME_PATH
}
