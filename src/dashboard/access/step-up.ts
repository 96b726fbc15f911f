// Before what gives access or directs money: the password, or the second step where it is on, typed within
// the last ten minutes; signing in counts. A form that comes too late waits, sealed, in the page that asks,
// and is carried out with the answer.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { toRecord } from '../../http/fields.ts'
import { confirmSession } from '../../users/session.ts'
import { verifyUserPassword } from '../../users/user.ts'
import { passwordField } from '../layout/forms/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer, type FormError, findSection } from '../layout/page.ts'
import { HOME_PATH } from '../layout/paths.ts'
import { limitPasswordTries, verifyOwnCode } from './current-password.ts'
import { nameWaitingForm } from './kept-form.ts'
import { openForm, sealForm } from './sealed-form.ts'
import { stepUpTexts } from './texts.ts'

const STEP_UP_VALID_MS = 10 * MINUTE_MS

/** What the page that asks sends: it stands in place of the form that waits. */
const StepUpForm = z.object({ stepUp: passwordField, waitingForm: z.string() })
type StepUpAnswer = z.output<typeof StepUpForm>

/** Behind the session guard: holds the routes that say so (`stepUp`). */
export function requireStepUp(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher, now } = needs
  const show = createPageRenderer(needs)

  app.addHook('preHandler', async (request, reply) => {
    // One that comes back is only shown.
    if (!request.routeOptions.config.stepUp || request.isKept) return undefined
    const { data: answer } = StepUpForm.safeParse(request.body)
    if (answer) request.body = openWaitingForm(cipher, request, answer.waitingForm)
    if ((await isStepUpDue(request, now())) && !(await isConfirmed(request, answer)))
      return askAgain(request, reply, answer)
    // Too large to wait: it is filled in once more.
    return request.body === undefined ? reply.redirect(request.url, 303) : undefined
  })

  async function isConfirmed(request: FastifyRequest, answer: StepUpAnswer | undefined) {
    if (!answer || !(await verifyStepUp(needs, request, answer.stepUp))) return false
    await confirmSession(db, request.visitor.sessionId, now())
    request.visitor.confirmedAt = now().toISOString()
    return true
  }

  function askAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: StepUpAnswer | undefined,
  ) {
    const { totpEnabled } = request.visitor.user
    const message = totpEnabled ? stepUpTexts.wrongCode : stepUpTexts.wrongPassword
    const errors: FormError[] = answer ? [{ field: 'stepUp', message }] : []
    const section = findSection(request.url)
    return show(request, reply.code(answer ? 422 : 403), 'dashboard/access/step-up', {
      ...{ title: stepUpTexts.title, section, errors, asksCode: totpEnabled },
      action: request.url,
      waitingForm: answer?.waitingForm ?? sealWaitingForm(cipher, request),
      isUpload: request.routeOptions.config.upload !== undefined,
      back: section === null ? HOME_PATH : `${HOME_PATH}/${section}`,
    })
  }
}

async function isStepUpDue(request: FastifyRequest, now: Date) {
  const { stepUp } = request.routeOptions.config
  if (getConfirmedUntil(request).getTime() > now.getTime()) return false
  return typeof stepUp === 'function' ? stepUp(request) : true
}

/** Until when whoever sends this counts as the person. */
export function getConfirmedUntil({ visitor: { confirmedAt } }: FastifyRequest) {
  return new Date(confirmedAt === null ? 0 : Date.parse(confirmedAt) + STEP_UP_VALID_MS)
}

/** Throws 429 after too many that are wrong. */
function verifyStepUp(needs: DashboardNeeds, request: FastifyRequest, typed: string) {
  const { user } = request.visitor
  if (user.totpEnabled) return verifyOwnCode(needs, request, typed)
  return limitPasswordTries(needs, user.id, () => verifyUserPassword(needs.db, user.id, typed))
}

/** Passwords and files of a form are not for the page to show. Empty for what is too large to wait. */
function sealWaitingForm(cipher: Cipher, { body, visitor, url }: FastifyRequest) {
  const { _csrf, ...fields } = toRecord(body)
  return sealForm(cipher, fields, nameWaitingForm(visitor.mark, url))
}

/** Undefined for what waits nowhere, or was sealed for another person or address. */
function openWaitingForm(cipher: Cipher, { visitor, url }: FastifyRequest, sealed: string) {
  return openForm(cipher, sealed, nameWaitingForm(visitor.mark, url))
}
