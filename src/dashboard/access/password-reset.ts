// `/painel/senha`: resets a lost password by a link sent by e-mail. The page never shows whether an e-mail has an
// account: it is always the same, and the work runs after the answer.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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
import { readTypedFields, refuseField, registerForm } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { SIGN_IN_PATH } from '../layout/paths.ts'
import { setDeviceCookie } from './session.ts'
import { tokenPageTexts } from './texts.ts'
import {
  catchPasswordErrors,
  createBackgroundRunner,
  createTokenPageRenderer,
  EXPIRED_FORM,
  NO_PASSWORD,
  readNewPassword,
  sendExpiredTokenPage,
} from './token-page.ts'

const LOST_PASSWORD_PATH = '/painel/senha'
const ADDRESS_LIMIT = { max: 10, windowMs: 15 * MINUTE_MS }
/** Keeps strangers from filling a person's mailbox. */
const ACCOUNT_LIMIT = { max: 3, windowMs: HOUR_MS }

const EmailField = z.email().max(EMAIL_MAX_LENGTH)
const words = tokenPageTexts

/** Needs no session. */
export async function lostPasswordPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { limiter, mail } = needs
  const show = createTokenPageRenderer(needs)
  const failure = 'a link for a new password was not sent'
  const runBehindAnswer = createBackgroundRunner(app, needs, failure)

  registerForm(app, '/senha', {
    right: null,
    load: async () => null,
    toForm: () => '',
    readForm: ({ body }) => readTypedFields(body).email ?? '',
    async save({ ip }, _row, typed) {
      const { data: email } = EmailField.safeParse(normalizeEmail(typed))
      // Without mail there is no form: the page says which person to ask.
      if (!mail) return { kind: 'invalid', errors: [] }
      if (email === undefined) return refuseField('email', words.email)
      const limits = buildNetworkLimits('password-reset', ip, ADDRESS_LIMIT)
      await enforceLimits(limiter, limits, words.tooMany)
      runBehindAnswer(sendResetLink(needs, email))
      return { kind: 'saved' }
    },
    async view({ query }, reply, { form: email, errors }) {
      const title = words.lostPassword
      if (toRecord(query).feito === 'link')
        return show(reply, 'dashboard/access/lost-password-sent', { title })
      if (!mail) return show(reply, 'dashboard/access/lost-password-operator', { title })
      return show(reply, 'dashboard/access/lost-password', { title, email, errors })
    },
    done: `${LOST_PASSWORD_PATH}?feito=link`,
  })
}

/** The pages behind the link; they need no session. */
export async function newPasswordPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now } = needs
  const show = createTokenPageRenderer(needs)

  registerForm(app, '/senha/:id', {
    right: null,
    load: async ({ params }) => ({ isOpen: await isResetToken(db, params.id, now()) }),
    toForm: () => NO_PASSWORD,
    readForm: readNewPassword,
    save: (request, _row, { password }) =>
      resetPassword(needs, request, { token: request.params.id, password }),
    async view(_request, reply, { form, errors }, { isOpen }) {
      if (!isOpen || form.isExpired) {
        const again = { href: LOST_PASSWORD_PATH, text: words.askAgain }
        return sendExpiredTokenPage(show, reply, { text: words.overReset, again })
      }
      const page = { title: words.newPassword, errors }
      return show(reply, 'dashboard/access/new-password', page)
    },
    async done({ user }, _row, _request, reply) {
      // The person owns the mailbox, so this browser becomes a known device, which guesses elsewhere cannot lock out.
      await setDeviceCookie(reply, needs, user)
      return reply.redirect(`${SIGN_IN_PATH}?feito=senha`, 303)
    },
  })
}

async function resetPassword(
  { db, mail, now }: DashboardNeeds,
  { ip: address }: FastifyRequest,
  chosen: { token: string; password: string },
) {
  const reset = await catchPasswordErrors(completePasswordReset(db, chosen, now()))
  if (reset.kind === 'invalid') return reset
  if (reset.saved.kind === 'expired') return EXPIRED_FORM
  const { id, companyId, email } = reset.saved
  const by = { companyId, actor: email, userId: id, address, now: now() }
  await recordSecurityChange(db, mail, { ...by, action: 'password_reset' })
  return { kind: 'saved' as const, user: { id, email } }
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
