// Who may come in: a session for every page, its token in every form, and the right that the route names.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { getErrorTitle, sendPage } from '../../http/html.ts'
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
import { createPageRenderer, findSection } from '../layout/page.ts'
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
  const answers = createFormAnswers(needs)
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
    if (!readVisitor(request)) return answers.askToSignIn(request, reply)
    const { keptForm } = toRecord(request.body)
    if (typeof keptForm === 'string') return answers.returnForm(request, reply, keptForm)
    switch (judgeFormToken(request, request.cookies[getSessionCookie(needs).name])) {
      case 'current':
        return undefined
      case 'otherEnvironment':
        return answers.askForEnvironment(request, reply)
      case 'otherSession':
        return answers.returnOwnForm(request, reply)
    }
  })
}

/** What becomes of a form that is not of this session, or of its other environment. */
function createFormAnswers(needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  return { askToSignIn, askForEnvironment, returnOwnForm, returnForm }

  /** They signed in again in another tab: shown, and not carried out; of somebody else, or a button, 403. */
  function returnOwnForm(request: FastifyRequest, reply: FastifyReply) {
    const keptForm = isKeptRoute(request) ? keepForm(needs, request) : ''
    if (openKeptForm(needs, request, keptForm).kind === 'refused')
      throw new AppError(403, FORM_EXPIRED, accessTexts.formExpired)
    return returnForm(request, reply, keptForm)
  }

  /** Where what was typed can be shown again, in the environment that it is of; else 409. */
  function askForEnvironment(request: FastifyRequest, reply: FastifyReply) {
    const { url, visitor } = request
    const { testMode } = visitor.company
    const keptForm = isKeptRoute(request) ? keepForm(needs, request) : ''
    const { environmentChanged, switchAndSend, ...words } = accessTexts
    const question = environmentChanged(testMode)
    if (keptForm === '')
      throw new AppError(409, 'environment_changed', `${question} ${switchAndSend}`)
    const section = findSection(url)
    return show(request, reply.code(409), 'dashboard/layout/confirm', {
      ...{ title: getErrorTitle(409), section, question, action: url },
      ...{
        consequences: words.keptForEnvironment,
        hidden: [{ name: 'keptForm', value: keptForm }],
      },
      ...{ button: words.toEnvironment(!testMode), keep: words.stayInEnvironment(testMode) },
      back: section === null ? HOME_PATH : `${HOME_PATH}/${section}`,
    })
  }

  function askToSignIn(request: FastifyRequest, reply: FastifyReply) {
    const keptForm = keepForm(needs, request)
    if (keptForm === '') return reply.redirect(buildSignInPath(request), 303)
    const page = { email: '', back: request.url, keptForm, errors: [], done: null }
    return sendPage(reply.code(401), 'dashboard/access/sign-in', {
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

/** Of which session a form is, and in which environment, where that matters. */
function judgeFormToken({ body, visitor, routeOptions }: FastifyRequest, session = '') {
  const { _csrf: given } = toRecord(body)
  const { testMode } = visitor.company
  const [token = ''] = typeof given === 'string' ? given.split('.') : []
  const isOf = (one: boolean) => isCsrfToken(session, one, token)
  if (isOf(testMode)) return 'current'
  if (!isOf(!testMode)) return 'otherSession'
  return routeOptions.config.anyEnvironment ? 'current' : 'otherEnvironment'
}

const FILE = /\.(csv|svg|png)(\?|$)/

/** After signing in a person is where they wanted to be, or where the button stands that they used. */
function buildSignInPath({ method, url, headers }: FastifyRequest) {
  const from = URL.parse(headers.referer ?? '')
  // A file opens no page: its button is found again, and works.
  const isPage = method === 'GET' && !FILE.test(url)
  const back = parseReturnPath(isPage ? url : from && from.pathname + from.search)
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
