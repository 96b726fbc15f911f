// `/painel/senha`: back in after a lost password, by a link that is sent. Nobody learns here whether an
// e-mail has an account: what is shown is the same, and the work is done behind the answer.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { EMAIL_MAX_LENGTH, toRecord } from '../../http/fields.ts'
import { buildNetworkLimits, enforceLimits } from '../../http/limiter.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import {
  completePasswordReset,
  createPasswordReset,
  isResetToken,
} from '../../users/password-reset.ts'
import { normalizeEmail } from '../../users/user.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { SIGN_IN_PATH } from '../layout/paths.ts'
import { createBackgroundRunner } from './background.ts'
import { setDeviceCookie } from './known-device.ts'
import { tokenPageTexts } from './texts.ts'
import {
  catchPasswordErrors,
  createTokenPageRenderer,
  readNewPassword,
  sendExpiredTokenPage,
  type TokenRoute,
} from './token-page.ts'

const LOST_PASSWORD_PATH = '/painel/senha'
const ADDRESS_LIMIT = { max: 10, windowMs: 15 * MINUTE_MS }
/** So that nobody's mailbox is filled by others. */
const ACCOUNT_LIMIT = { max: 3, windowMs: HOUR_MS }

const EmailField = z.email().max(EMAIL_MAX_LENGTH)
const words = tokenPageTexts

/** Without the session guard. */
export async function lostPasswordPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { limiter, mail } = needs
  const show = createTokenPageRenderer(needs)
  const behindTheAnswer = createBackgroundRunner(
    app,
    needs,
    'a link for a new password was not sent',
  )

  app.get('/senha', (request, reply) => {
    const { feito } = toRecord(request.query)
    if (feito !== 'link') return showLostPasswordForm(reply)
    return show(reply, 'dashboard/access/lost-password-sent', { title: words.lostPassword })
  })

  app.post('/senha', async (request, reply) => {
    if (!mail) return showLostPasswordForm(reply)
    const { email = '' } = readTypedFields(request.body)
    const { data } = EmailField.safeParse(normalizeEmail(email))
    if (data === undefined)
      return showLostPasswordForm(reply, email, [{ field: 'email', message: words.email }])
    await limitAddress(request)
    behindTheAnswer(sendResetLink(needs, data))
    return reply.redirect(`${LOST_PASSWORD_PATH}?feito=link`, 303)
  })

  async function limitAddress({ ip }: FastifyRequest) {
    const limits = buildNetworkLimits('password-reset', ip, ADDRESS_LIMIT)
    await enforceLimits(limiter, limits, words.tooMany)
  }

  function showLostPasswordForm(reply: FastifyReply, email = '', errors: FormError[] = []) {
    const title = words.lostPassword
    if (!mail) return show(reply, 'dashboard/access/lost-password-operator', { title })
    return show(reply, 'dashboard/access/lost-password', { title, email, errors })
  }
}

/** Without the session guard: where the link leads. */
export async function newPasswordPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createTokenPageRenderer(needs)

  app.get<TokenRoute>('/senha/:token', async (request, reply) => {
    const stands = await isResetToken(db, request.params.token, needs.now())
    return stands ? showLostPasswordForm(reply) : showUsed(reply)
  })

  app.post<TokenRoute>('/senha/:token', async (request, reply) => {
    const { token } = request.params
    const now = needs.now()
    const password = readNewPassword(request.body)
    const reset = await catchPasswordErrors(completePasswordReset(db, { token, password }, now))
    if (reset.kind === 'invalid') return showLostPasswordForm(reply, reset.errors)
    if (reset.saved.kind === 'expired') return showUsed(reply)
    const { id: userId, companyId, email: actor } = reset.saved
    const by = { companyId, actor, userId, address: request.ip, now }
    await recordSecurityChange(db, needs.mail, { ...by, action: 'password_reset' })
    // Who holds the mailbox is the person: nobody who guesses keeps them out of this browser.
    await setDeviceCookie(reply, needs, { id: userId, email: actor })
    return reply.redirect(`${SIGN_IN_PATH}?feito=senha`, 303)
  })

  function showLostPasswordForm(reply: FastifyReply, errors: FormError[] = []) {
    return show(reply, 'dashboard/access/new-password', { title: words.newPassword, errors })
  }

  function showUsed(reply: FastifyReply) {
    const again = { href: LOST_PASSWORD_PATH, text: words.askAgain }
    return sendExpiredTokenPage(show, reply, { text: words.overReset, again })
  }
}

async function sendResetLink({ db, limiter, mail, baseUrl, now }: DashboardNeeds, email: string) {
  const account = createHash('sha256').update(normalizeEmail(email)).digest('base64url')
  const { exceeded } = await limiter.countHit(`password-reset:${account}`, ACCOUNT_LIMIT)
  if (exceeded) return
  const at = now()
  const reset = await createPasswordReset(db, email, at)
  if (reset.kind === 'unknownEmail') return
  const data = { secretLink: `${baseUrl}${LOST_PASSWORD_PATH}/${reset.token}` }
  const newMail = { template: 'password-reset', recipient: reset.email, data } as const
  await queueMail(mail, db, { companyId: null, now: at }, newMail)
}
