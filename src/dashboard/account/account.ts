// `/painel/conta`: one's own password and sessions; the second step is in two-factor.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFoundError } from '../../http/errors.ts'
import { texts } from '../../texts.ts'
import { findPasswordFault } from '../../users/password-policy.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../../users/session.ts'
import { countRecoveryCodes } from '../../users/two-factor.ts'
import { changePassword } from '../../users/user.ts'
import { limitPasswordTries, PasswordField } from '../access/current-password.ts'
import { describeDevice } from '../access/device.ts'
import { setDeviceCookie } from '../access/known-device.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { ACCOUNT_PATH } from '../layout/paths.ts'
import { recordAct, recordSecurityAct } from '../layout/security.ts'
import { toTimeView } from '../layout/values/time.ts'
import { ownAccountTexts } from './texts.ts'

const OWN_ACCOUNT = requireRight('ownAccount')

const PasswordChangeForm = z.object({ current: PasswordField, password: PasswordField })

export async function accountPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/conta', OWN_ACCOUNT, (request, reply) => showAccount(request, reply))

  app.post('/conta/senha', OWN_ACCOUNT, async (request, reply) => {
    const { current, password } = PasswordChangeForm.parse(request.body)
    const { sessionId: keep, user, company } = request.visitor
    const owner = { email: user.email, companyName: company.name }
    const fault = findPasswordFault(password, owner)
    if (fault) return showAccount(request, reply, [{ field: 'password', message: fault }])
    const changed = await limitPasswordTries(needs, user.id, async () => {
      const { kind } = await changePassword(db, { userId: user.id, current, password, keep })
      return kind === 'changed'
    })
    if (!changed) {
      const message = ownAccountTexts.wrongPassword
      return showAccount(request, reply, [{ field: 'current', message }])
    }
    await recordSecurityAct(needs, request, { action: 'password_changed' })
    // The browsers that were known are not by the new password; this one goes on.
    await setDeviceCookie(reply, needs, user)
    return reply.redirect(`${ACCOUNT_PATH}?feito=senha-trocada`, 303)
  })

  app.post<ById>('/conta/sessoes/:id/encerrar', OWN_ACCOUNT, async (request, reply) => {
    const { user } = request.visitor
    const { id } = request.params
    const session = (await listSessions(db, user.id, needs.now())).find((one) => one.id === id)
    if (!session) throw notFoundError()
    const { kind } = await revokeSession(db, { id, userId: user.id })
    if (kind === 'notFound') throw notFoundError()
    await recordAct(needs, request, {
      action: 'session_closed',
      subject: describeDevice(session.userAgent),
    })
    return reply.redirect(`${ACCOUNT_PATH}?feito=sessao-encerrada`, 303)
  })

  app.post('/conta/sessoes/encerrar-outras', OWN_ACCOUNT, async (request, reply) => {
    const { sessionId: keep, user } = request.visitor
    await revokeOtherSessions(db, { userId: user.id, keep })
    await recordAct(needs, request, {
      action: 'session_closed',
      subject: ownAccountTexts.others,
    })
    return reply.redirect(`${ACCOUNT_PATH}?feito=sessoes-encerradas`, 303)
  })

  async function showAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    errors: FormError[] = [],
  ) {
    const page = await loadAccount(needs, request)
    return show(request, reply, 'dashboard/account/account', { ...page, errors })
  }
}

export async function loadAccount({ db, ...needs }: DashboardNeeds, { visitor }: FastifyRequest) {
  const { sessionId, user } = visitor
  const now = needs.now()
  const role: string = texts.roles[user.role]
  const sessions = await listSessions(db, user.id, now)
  return {
    title: ownAccountTexts.title,
    section: 'conta' as const,
    role,
    totpEnabled: user.totpEnabled,
    codesLeft: await countRecoveryCodes(db, user.id),
    sessions: sessions.map(({ id, address, userAgent, createdAt, lastSeenAt }) => ({
      id,
      address,
      device: describeDevice(userAgent),
      began: toTimeView(createdAt, now),
      seen: toTimeView(lastSeenAt, now),
      isThis: id === sessionId,
    })),
  }
}
