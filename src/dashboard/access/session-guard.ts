// Who may come in: a session for every page, its token in every form, and the right that the route names.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { registerUploads } from '../../http/uploads/multipart.ts'
import { texts } from '../../texts.ts'
import { hasRight, listRolesWith } from '../../users/roles.ts'
import {
  deriveCsrfToken,
  findSession,
  isCsrfToken,
  switchEnvironment,
} from '../../users/session.ts'
import { FORM_EXPIRED, NOT_ALLOWED } from '../layout/error-page.ts'
import type { DashboardNeeds, Visitor } from '../layout/needs.ts'
import { HOME_PATH, SIGN_IN_PATH } from '../layout/paths.ts'
import { isKeptRoute, keepForm, markFormOwner, openKeptForm } from './kept-form.ts'
import { accessTexts } from './texts.ts'

const SESSION_DAYS = 7
/** More than strangers may send: a form that waits for step-up is within another. */
export const FORM_BYTES = 65_536

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
  const { isBackground = false } = request.routeOptions.config
  const session = token && (await findSession(needs.db, token, needs.now(), !isBackground))
  if (!token || !session) return undefined
  const { id: sessionId, user, company, confirmedAt } = session
  const { testMode } = company
  const mark = markFormOwner(needs.cipher, { userId: user.id, testMode })
  const csrf = `${deriveCsrfToken(token, testMode)}.${mark}`
  return { token, visitor: { sessionId, csrf, mark, user, company, confirmedAt } }
}

/** Makes a scope one for people who are signed in. */
export async function requireVisitor(app: FastifyInstance, needs: DashboardNeeds) {
  // Of a form that will only be shown again no file is read.
  await registerUploads(app, (request) => readVisitor(request) !== undefined)
  app.decorateRequest('visitor')
  app.decorateRequest('isKept', false)
  app.addHook('onRoute', (route) => {
    // What nobody has said who may do, nobody does.
    if (!route.config?.right) throw new Error(`Say which right ${route.url} needs`)
    route.bodyLimit ??= FORM_BYTES
  })

  app.addHook('onRequest', async (request, reply) => {
    const found = await findVisitor(request, needs)
    // What was typed is read first, and answered below.
    if (!found && isKeptRoute(request)) return undefined
    if (!found) return request.is404 ? undefined : reply.redirect(buildSignInPath(request), 303)
    request.visitor = found.visitor
    checkRight(request)
    return undefined
  })

  app.addHook('preValidation', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.is404) return undefined
    if (!readVisitor(request)) return askToSignIn(request, reply)
    const { keptForm } = toRecord(request.body)
    if (typeof keptForm === 'string') return returnForm(request, reply, keptForm)
    checkFormToken(request, request.cookies[getSessionCookie(needs).name])
    return undefined
  })

  function askToSignIn(request: FastifyRequest, reply: FastifyReply) {
    const keptForm = keepForm(needs, request)
    if (keptForm === '') return reply.redirect(buildSignInPath(request), 303)
    const page = { email: '', back: request.url, keptForm, errors: [], done: null }
    return sendPage(app, reply.code(401), 'dashboard/access/sign-in', {
      ...{ ...page, asset: needs.asset },
    })
  }

  /** Their own form, in the environment that it is of. */
  async function returnForm(request: FastifyRequest, reply: FastifyReply, keptForm: string) {
    const form = openKeptForm(needs, request, keptForm)
    const { sessionId, company } = request.visitor
    switch (form.kind) {
      case 'opened':
        request.body = form.fields
        request.isKept = true
        return undefined
      case 'otherEnvironment':
        await switchEnvironment(needs.db, sessionId, !company.testMode)
        return reply.redirect(request.url, 307)
      case 'refused':
        return reply.redirect(request.url, 303)
    }
  }
}

/** Or 403, with who may and who asks. */
function checkRight({ visitor, routeOptions }: FastifyRequest) {
  const { right } = routeOptions.config
  const { role } = visitor.user
  if (!right || hasRight(role, right)) return
  const allowed = listRolesWith(right).map((one) => texts.roles[one])
  throw new AppError(403, NOT_ALLOWED, accessTexts.notAllowed(allowed, texts.roles[role]))
}

/** A form of this session, and of the environment that it is in; or 403, or 409. */
function checkFormToken({ body, visitor, routeOptions }: FastifyRequest, session = '') {
  const { _csrf: given } = toRecord(body)
  const { testMode } = visitor.company
  const [token = ''] = typeof given === 'string' ? given.split('.') : []
  const isOf = (one: boolean) => isCsrfToken(session, one, token)
  if (isOf(testMode)) return
  if (!isOf(!testMode)) throw new AppError(403, FORM_EXPIRED, accessTexts.formExpired)
  if (routeOptions.config.anyEnvironment) return
  throw new AppError(409, 'environment_changed', accessTexts.environmentChanged(testMode))
}

/** After signing in a person is where they wanted to be, or where the button stands that they used. */
function buildSignInPath({ method, url, headers }: FastifyRequest) {
  const from = URL.parse(headers.referer ?? '')
  const back = parseReturnPath(method === 'GET' ? url : from && from.pathname + from.search)
  return back === HOME_PATH ? SIGN_IN_PATH : `${SIGN_IN_PATH}?voltar=${encodeURIComponent(back)}`
}

/** Undefined until the session is found, and where there is none. */
function readVisitor(request: FastifyRequest): Visitor | undefined {
  return request.visitor
}

/** Where to go after signing in: an address of the dashboard and no other. */
export function parseReturnPath(given: unknown) {
  const isOurs = typeof given === 'string' && /^\/painel(\/[\w/-]*)?(\?[^\\\s]*)?$/.test(given)
  return isOurs ? given : HOME_PATH
}
