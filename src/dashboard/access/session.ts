// Starts a session after signing in, setting up or joining: a cookie, and an entry in the audit log. A browser is
// recognised by a cookie (users/session.ts), one for each person; for an unknown one the person and the owners get an
// e-mail, which names it: `Chrome no Android`. Also ends it, and switches its environment.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { requireFound } from '../../database/found.ts'
import { toRecord } from '../../http/fields.ts'
import { queueSecurityMail } from '../../mail/security.ts'
import {
  createSession,
  DEVICE_VALID_MS,
  findSession,
  isDeviceOf,
  issueDeviceToken,
  revokeSession,
  switchEnvironment,
} from '../../users/session.ts'
import { normalizeEmail } from '../../users/user.ts'
import { type DashboardNeeds, recordAct, requireRight } from '../layout/needs.ts'
import { SIGN_IN_PATH } from '../layout/paths.ts'
import {
  clearSessionCookie,
  getSessionCookie,
  parseReturnPath,
  setSessionCookie,
} from './session-guard.ts'
import { deviceTexts } from './texts.ts'

type Newcomer = {
  /** The account was just created, so its first device is not reported. */
  isNew: boolean
}

export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  needs: DashboardNeeds,
  userId: string,
  { isNew }: Newcomer,
) {
  const { db, cipher, mail } = needs
  const now = needs.now()
  const { ip: address, headers } = request
  const userAgent = headers['user-agent']
  const { token } = await createSession(db, { userId, address, userAgent, now })
  const { user } = requireFound(await findSession(db, token, now))
  const { companyId, email: actor } = user
  const deviceToken = readDeviceToken(request, needs, actor)
  const isKnown = isNew || (await isDeviceOf(db, cipher, { userId, deviceToken, now }))
  const device = isKnown ? null : describeDevice(userAgent ?? '')
  const details = device === null ? {} : { newDevice: device }
  await recordAudit(db, { companyId, actor, userId, action: 'sign_in', details, address, now })
  if (device !== null) {
    const notice = { companyId, userId, actor, address, device, now }
    const about = { what: 'new_device', subject: null, testMode: false } as const
    await queueSecurityMail(mail, db, { ...notice, ...about })
  }
  setSessionCookie(reply, needs, token)
  await setDeviceCookie(reply, needs, user)
}

/** A user agent names several browsers; the first match counts. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

export function readDeviceToken({ cookies }: FastifyRequest, needs: DashboardNeeds, email: string) {
  return cookies[getDeviceCookie(needs, email).name]
}

/** Makes this browser a known device of the person. */
export async function setDeviceCookie(
  reply: FastifyReply,
  needs: DashboardNeeds,
  { id, email }: { id: string; email: string },
) {
  const token = await issueDeviceToken(needs.db, needs.cipher, id, needs.now())
  if (!token) return
  const { name, options } = getDeviceCookie(needs, email)
  reply.setCookie(name, token, { ...options, maxAge: DEVICE_VALID_MS / 1000 })
}

function getDeviceCookie(needs: DashboardNeeds, email: string) {
  const { name, options } = getSessionCookie(needs)
  const person = createHash('sha256').update(normalizeEmail(email)).digest('hex').slice(0, 12)
  return { name: `${name}-aparelho-${person}`, options }
}

export function describeDevice(userAgent: string) {
  const { device, browser: anyBrowser, unknownDevice } = deviceTexts
  const [browser, system] = [
    matchUserAgent(BROWSERS, userAgent),
    matchUserAgent(SYSTEMS, userAgent),
  ]
  if (system) return device(browser ?? anyBrowser, system)
  return browser ?? unknownDevice
}

function matchUserAgent(known: [RegExp, string][], userAgent: string) {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}

const OWN_SESSION = requireRight('ownAccount', { anyEnvironment: true })

/**
 * `/painel/sair`: signs out. `/painel/ambiente`: switches between the test and the live environment; the session keeps
 * the choice. Registered behind the session guard.
 */
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
