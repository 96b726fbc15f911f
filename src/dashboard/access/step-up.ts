// Before what gives access or directs money: the password, or the second step where it is on, typed within
// the last ten minutes; signing in counts. It is asked for on a page of its own before a form is shown; a
// form that is sent too late does nothing.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { confirmSession } from '../../users/session.ts'
import { verifyUserPassword } from '../../users/user.ts'
import { passwordField } from '../layout/forms/form.ts'
import { findSection, getSectionPath } from '../layout/menu.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { STEP_UP_PATH } from '../layout/paths.ts'
import { limitPasswordTries, verifyOwnCode } from './current-password.ts'
import { findReturnPath, parseReturnPath } from './return-path.ts'
import { stepUpTexts } from './texts.ts'

const STEP_UP_VALID_MS = 10 * MINUTE_MS
/** A form is shown only to a person who has this long to fill it in. */
const FORM_TIME_MS = 5 * MINUTE_MS

const OWN_ACCOUNT = requireRight('ownAccount', { anyEnvironment: true })

const StepUpForm = z.object({ stepUp: passwordField.catch('') })

/** Behind the session guard: holds the routes that say so (`stepUp`). */
export function requireStepUp(app: FastifyInstance, { now }: DashboardNeeds) {
  app.addHook('preHandler', async (request, reply) => {
    if (!(await isStepUpDue(request, now()))) return undefined
    return redirectToStepUp(reply, findReturnPath(request), request.method === 'POST')
  })
}

/** `isSent`: something was sent that is not done. */
export function redirectToStepUp(reply: FastifyReply, back: string, isSent = false) {
  const query = new URLSearchParams({ voltar: back, ...(isSent && { enviado: 'sim' }) })
  return reply.redirect(`${STEP_UP_PATH}?${query}`, 303)
}

export async function stepUpPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now } = needs
  const show = createPageRenderer(needs)

  app.get('/confirmar', OWN_ACCOUNT, (request, reply) => {
    const { voltar, enviado } = toRecord(request.query)
    return showStepUp(request, reply, { back: parseReturnPath(voltar), isSent: enviado === 'sim' })
  })

  app.post('/confirmar', OWN_ACCOUNT, async (request, reply) => {
    const { voltar, enviado } = toRecord(request.body)
    const back = parseReturnPath(voltar)
    const isSent = enviado === 'sim'
    const { stepUp } = StepUpForm.parse(request.body)
    if (!(await verifyStepUp(needs, request, stepUp))) {
      const { totpEnabled } = request.visitor.user
      const message = totpEnabled ? stepUpTexts.wrongCode : stepUpTexts.wrongPassword
      return showStepUp(request, reply, { back, isSent }, [{ field: 'stepUp', message }])
    }
    await confirmSession(db, request.visitor.sessionId, now())
    return reply.redirect(isSent ? addDoneWord(back) : back, 303)
  })

  function showStepUp(
    request: FastifyRequest,
    reply: FastifyReply,
    { back, isSent }: { back: string; isSent: boolean },
    errors: FormError[] = [],
  ) {
    const section = findSection(back)
    return show(request, reply, 'dashboard/access/step-up', {
      title: stepUpTexts.title,
      section,
      errors,
      asksCode: request.visitor.user.totpEnabled,
      back,
      isSent,
      cancel: getSectionPath(section),
    })
  }
}

async function isStepUpDue(request: FastifyRequest, now: Date) {
  const { stepUp } = request.routeOptions.config
  if (!stepUp) return false
  const leftMs = getConfirmedUntil(request).getTime() - now.getTime()
  // What was just done is told as long as the person counts as confirmed.
  const isBlankForm = request.method !== 'POST' && toRecord(request.query).feito === undefined
  if (leftMs > (isBlankForm ? FORM_TIME_MS : 0)) return false
  return stepUp === true || stepUp(request)
}

/** Until when a person counts as confirmed. */
export function getConfirmedUntil({ visitor: { confirmedAt } }: FastifyRequest) {
  return new Date(confirmedAt === null ? 0 : Date.parse(confirmedAt) + STEP_UP_VALID_MS)
}

/** Throws 429 after too many that are wrong. */
function verifyStepUp(needs: DashboardNeeds, request: FastifyRequest, typed: string) {
  const { user } = request.visitor
  if (user.totpEnabled) return verifyOwnCode(needs, request, typed)
  return limitPasswordTries(needs, user.id, () => verifyUserPassword(needs.db, user.id, typed))
}

/** Says on the page behind that what was sent has to be done again. */
function addDoneWord(back: string) {
  return `${back}${back.includes('?') ? '&' : '?'}feito=confirmado`
}
