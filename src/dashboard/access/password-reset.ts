// `/painel/senha`: back in after a lost password, by a link that is sent. Nobody learns here whether an
// e-mail has an account: what is shown is the same, and the work is done behind the answer.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { tooManyRequests } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { networkOf } from '../../http/ip.ts'
import { queueReset } from '../../mail/people.ts'
import { beginReset, finishReset, isResetToken } from '../../users/password-reset.ts'
import { emailKey } from '../../users/user.ts'
import { readTypedFields } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { SIGN_IN_PATH } from '../layout/paths.ts'
import { tokenPageTexts } from './texts.ts'
import {
  catchPasswordErrors,
  createTokenPageRenderer,
  readNewPassword,
  sendExpiredTokenPage,
  type TokenRoute,
} from './token-page.ts'

const LOST_PASSWORD_PATH = '/painel/senha'
const ADDRESS_LIMIT = { max: 10, windowMs: 15 * 60_000 }
/** So that nobody's mailbox is filled by others. */
const ACCOUNT_LIMIT = { max: 3, windowMs: 60 * 60_000 }

const EmailField = z.email().max(254)
const words = tokenPageTexts

/** Before the gate. */
export async function lostPasswordPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { limiter, mail } = needs
  const show = createTokenPageRenderer(app, needs)
  const behindTheAnswer = createBackgroundRunner(app, needs)

  app.get('/senha', (request, reply) => {
    const { feito } = toRecord(request.query)
    if (feito !== 'link') return showForm(reply)
    return show(reply, 'dashboard/access/lost-password-sent', { title: words.lostPassword })
  })

  app.post('/senha', async (request, reply) => {
    if (!mail) return showForm(reply)
    const { email = '' } = readTypedFields(request.body)
    const { data } = EmailField.safeParse(email.trim())
    if (data === undefined)
      return showForm(reply, email, [{ field: 'email', message: words.email }])
    await limitAddress(request)
    behindTheAnswer(sendResetLink(needs, data))
    return reply.redirect(`${LOST_PASSWORD_PATH}?feito=link`, 303)
  })

  async function limitAddress({ ip }: FastifyRequest) {
    const key = `password-reset:${networkOf(ip)}`
    const { exceeded, retryAfterMs } = await limiter.hit(key, ADDRESS_LIMIT)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), words.tooMany)
  }

  function showForm(reply: FastifyReply, email = '', errors: FormError[] = []) {
    const title = words.lostPassword
    if (!mail) return show(reply, 'dashboard/access/lost-password-operator', { title })
    return show(reply, 'dashboard/access/lost-password', { title, email, errors })
  }
}

/** Before the gate: where the link leads. */
export async function newPasswordPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createTokenPageRenderer(app, needs)

  app.get<TokenRoute>('/senha/:token', async (request, reply) => {
    const stands = await isResetToken(db, request.params.token, needs.now())
    return stands ? showForm(reply) : showUsed(reply)
  })

  app.post<TokenRoute>('/senha/:token', async (request, reply) => {
    const { token } = request.params
    const now = needs.now()
    const password = readNewPassword(request.body)
    const user = await catchPasswordErrors(finishReset(db, { token, password }, now))
    if (Array.isArray(user)) return showForm(reply, user)
    if (!user) return showUsed(reply)
    const { id: userId, companyId, email: actor } = user
    const by = { companyId, actor, userId, address: request.ip, now }
    await recordAudit(db, { ...by, action: 'password_reset' })
    return reply.redirect(`${SIGN_IN_PATH}?feito=senha`, 303)
  })

  function showForm(reply: FastifyReply, errors: FormError[] = []) {
    return show(reply, 'dashboard/access/new-password', { title: words.newPassword, errors })
  }

  function showUsed(reply: FastifyReply) {
    const again = { href: LOST_PASSWORD_PATH, text: words.askAgain }
    return sendExpiredTokenPage(show, reply, { text: words.overReset, again })
  }
}

async function sendResetLink({ db, limiter, mail, baseUrl, now }: DashboardNeeds, email: string) {
  const account = createHash('sha256').update(emailKey(email)).digest('base64url')
  const { exceeded } = await limiter.hit(`password-reset:${account}`, ACCOUNT_LIMIT)
  if (exceeded) return
  const at = now()
  const reset = await beginReset(db, email, at)
  if (!reset) return
  const link = `${baseUrl}${LOST_PASSWORD_PATH}/${reset.token}`
  await queueReset(mail, db, { email: reset.email, link, now: at })
}

/** It takes longer for an e-mail that somebody has: whoever asks must not be able to tell. */
function createBackgroundRunner(app: FastifyInstance, { log }: DashboardNeeds) {
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underWay)
  })
  return (work: Promise<void>) => {
    const done = work
      .catch((err: unknown) => log.error({ err }, 'a link for a new password was not sent'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}
