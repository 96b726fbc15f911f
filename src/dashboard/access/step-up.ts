// Before what gives access or directs money: the password, or the second step where it is on, typed within
// the last ten minutes; signing in counts. A form that comes too late waits, sealed, in the page that asks,
// and is carried out with the answer.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { toRecord } from '../../http/fields.ts'
import { confirmSession } from '../../users/session.ts'
import { consumeTwoFactorCode } from '../../users/two-factor.ts'
import { verifyUserPassword } from '../../users/user.ts'
import { passwordField } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer, type FormError, findSection } from '../layout/page.ts'
import { HOME_PATH } from '../layout/paths.ts'
import { limitPasswordTries } from './current-password.ts'
import { stepUpTexts } from './texts.ts'

const STEP_UP_VALID_MS = 10 * MINUTE_MS
/** What one field of a form takes, with room for the others. */
const MAX_SEALED_LENGTH = 60_000

/** What the page that asks sends: it stands in place of the form that waits. */
const StepUpForm = z.object({ stepUp: passwordField, waitingForm: z.string() })
type StepUpAnswer = z.output<typeof StepUpForm>

/** Behind the session guard: holds the routes that say so (`stepUp`). */
export function requireStepUp(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher, now } = needs
  const show = createPageRenderer(app, needs)

  app.addHook('preHandler', async (request, reply) => {
    if (!request.routeOptions.config.stepUp) return undefined
    const { data: answer } = StepUpForm.safeParse(request.body)
    if (answer) request.body = openForm(cipher, request, answer.waitingForm)
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
      waitingForm: answer?.waitingForm ?? sealForm(cipher, request),
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
function verifyStepUp(needs: DashboardNeeds, { visitor: { user } }: FastifyRequest, typed: string) {
  const { db, cipher, now } = needs
  return limitPasswordTries(needs, user.id, async () => {
    if (!user.totpEnabled) return verifyUserPassword(db, user.id, typed)
    return (await consumeTwoFactorCode(db, cipher, user.id, typed, now())).kind === 'consumed'
  })
}

const WaitingForm = z.record(z.string(), z.unknown())

/** Passwords and files of a form are not for the page to show. Empty for what is too large to wait. */
function sealForm(cipher: Cipher, request: FastifyRequest) {
  const { _csrf, ...fields } = toRecord(request.body)
  const text = JSON.stringify(fields, shortenBuffer)
  const sealed = cipher.encrypt(text, 'ticket', nameForm(request)).toString('base64url')
  return sealed.length > MAX_SEALED_LENGTH ? '' : sealed
}

/** Undefined for what waits nowhere, or was sealed for another session or address. */
function openForm(cipher: Cipher, request: FastifyRequest, sealed: string) {
  if (sealed === '') return undefined
  try {
    const text = cipher.decrypt(Buffer.from(sealed, 'base64url'), 'ticket', nameForm(request))
    return WaitingForm.parse(JSON.parse(text, reviveBuffer))
  } catch {
    return undefined
  }
}

function nameForm({ visitor, url }: FastifyRequest) {
  return `${visitor.sessionId} ${url}`
}

/** A file, as JSON writes one: byte for byte as numbers, which is three times as long. */
function shortenBuffer(_name: string, value: unknown) {
  const { type, data } = toRecord(value)
  const isFile = type === 'Buffer' && Array.isArray(data)
  return isFile ? { type, data: Buffer.from(data).toString('base64') } : value
}

function reviveBuffer(_name: string, value: unknown) {
  const { type, data } = toRecord(value)
  return type === 'Buffer' && typeof data === 'string' ? Buffer.from(data, 'base64') : value
}
