// Step-up: actions that give access or direct money need the password, or a code if the second step is on, typed in the
// last ten minutes; signing in counts. It is asked for on its own page before a form is shown; a form that is sent too
// late does nothing.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { enforceLimits, type Limit, undoHits, undoHitsOnError } from '../../http/limiter.ts'
import { confirmSession } from '../../users/session.ts'
import { consumeTwoFactorCode } from '../../users/two-factor.ts'
import { verifyUserPassword } from '../../users/user.ts'
import { passwordField, refuseField, registerForm } from '../layout/form.ts'
import { findSection, getSectionPath } from '../layout/menu.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { STEP_UP_PATH } from '../layout/paths.ts'
import { findReturnPath, parseReturnPath } from './session-guard.ts'
import { stepUpTexts } from './texts.ts'

const STEP_UP_VALID_MS = 10 * MINUTE_MS
/** A form is shown only to a person with this much time left to fill it in. */
export const FORM_TIME_MS = 5 * MINUTE_MS

const StepUpForm = z.object({ stepUp: passwordField.catch('') })

/** Registered behind the session guard; checks the routes with `stepUp`. */
export function requireStepUp(app: FastifyInstance, { now }: DashboardNeeds) {
  app.addHook('preHandler', async (request, reply) => {
    if (!isStepUpDue(request, now())) return undefined
    return reply.redirect(buildStepUpPath(findReturnPath(request), request.method === 'POST'), 303)
  })
}

/** `isSent`: a form was sent and not carried out. */
export function buildStepUpPath(back: string, isSent = false) {
  const query = new URLSearchParams({ voltar: back, ...(isSent && { enviado: 'sim' }) })
  return `${STEP_UP_PATH}?${query}`
}

export async function stepUpPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerForm(app, '/confirmar', {
    right: 'ownAccount',
    anyEnvironment: true,
    load: async ({ method, body, query }) => {
      const { voltar, enviado } = toRecord(method === 'POST' ? body : query)
      return { back: parseReturnPath(voltar), isSent: enviado === 'sim' }
    },
    toForm: () => '',
    readForm: ({ body }) => StepUpForm.parse(body).stepUp,
    async save(request, _row, typed) {
      const isRight = await verifyStepUp(needs, request, typed)
      const { totpEnabled } = request.visitor.user
      const { wrongCode, wrongPassword } = stepUpTexts
      if (!isRight) return refuseField('stepUp', totpEnabled ? wrongCode : wrongPassword)
      await confirmSession(needs.db, request.visitor.sessionId, needs.now())
      return { kind: 'saved' }
    },
    view: (request, reply, { errors }, row) =>
      show(request, reply, 'dashboard/access/step-up', { ...toStepUpPage(request, row), errors }),
    done: (_saved, { back, isSent }) => (isSent ? addDoneWord(back) : back),
  })
}

export function toStepUpPage(
  { visitor }: FastifyRequest,
  { back, isSent }: { back: string; isSent: boolean },
) {
  const section = findSection(back)
  return {
    title: stepUpTexts.title,
    section,
    asksCode: visitor.user.totpEnabled,
    back,
    /** A form was sent too late, and nothing was done. */
    isSent,
    cancel: getSectionPath(section),
  }
}

function isStepUpDue(request: FastifyRequest, now: Date) {
  const { stepUp } = request.routeOptions.config
  if (!stepUp) return false
  const leftMs = getConfirmedUntil(request).getTime() - now.getTime()
  // The page with the result of an action is shown as long as the person counts as confirmed.
  const isBlankForm = request.method !== 'POST' && toRecord(request.query).feito === undefined
  return leftMs <= (isBlankForm ? FORM_TIME_MS : 0)
}

/** Until when a person counts as confirmed. */
export function getConfirmedUntil({ visitor: { confirmedAt } }: FastifyRequest) {
  return new Date(Date.parse(confirmedAt) + STEP_UP_VALID_MS)
}

/** Throws 429 after too many wrong tries. */
function verifyStepUp(needs: DashboardNeeds, request: FastifyRequest, typed: string) {
  const { user } = request.visitor
  if (user.totpEnabled) return verifyOwnCode(needs, request, typed)
  return limitPasswordTries(needs, user.id, () => verifyUserPassword(needs.db, user.id, typed))
}

/** Makes the next page say that the form must be sent again. */
function addDoneWord(back: string) {
  return `${back}${back.includes('?') ? '&' : '?'}feito=confirmado`
}

const PASSWORD_LIMITS: Limit[] = [
  { max: 5, windowMs: MINUTE_MS },
  { max: 15, windowMs: HOUR_MS },
]

export const PasswordField = passwordField.catch('')
/** Checks and uses up a code of the person's second step. Throws 429 after too many wrong ones. */
export function verifyOwnCode(
  needs: DashboardNeeds,
  { visitor: { user } }: FastifyRequest,
  typed: string,
) {
  const { db, cipher, now } = needs
  const isRight = async () => {
    const { kind } = await consumeTwoFactorCode(db, cipher, user.id, typed, now())
    return kind === 'consumed'
  }
  return limitPasswordTries(needs, user.id, isRight, stepUpTexts.tooManyCodes)
}

/** Only wrong tries count, but each is counted before its check, so that simultaneous guesses count too. */
export async function limitPasswordTries(
  { limiter }: DashboardNeeds,
  userId: string,
  isRight: () => Promise<boolean>,
  tooMany: string = stepUpTexts.tooMany,
) {
  const tries = PASSWORD_LIMITS.map((limit) => ({
    key: `own-password:${userId}:${limit.windowMs}`,
    limit,
  }))
  await enforceLimits(limiter, tries, tooMany)
  const right = await undoHitsOnError(limiter, tries, isRight)
  if (right) await undoHits(limiter, tries)
  return right
}
