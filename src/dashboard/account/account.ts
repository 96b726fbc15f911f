// `/painel/conta`: the person's own password and sessions; the second step is in two-factor.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFoundError } from '../../http/errors.ts'
import { texts } from '../../texts.ts'
import { findPasswordFault } from '../../users/password.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../../users/session.ts'
import { countRecoveryCodes } from '../../users/two-factor.ts'
import { changePassword } from '../../users/user.ts'
import { describeDevice, setDeviceCookie } from '../access/session.ts'
import { limitPasswordTries, PasswordField } from '../access/step-up.ts'
import { refuseField, registerForm } from '../layout/form.ts'
import {
  type ById,
  type DashboardNeeds,
  recordAct,
  recordSecurityAct,
  requireRight,
} from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { ACCOUNT_PATH } from '../layout/paths.ts'
import { ownAccountTexts } from './texts.ts'

const OWN_ACCOUNT = requireRight('ownAccount')

const PasswordChangeForm = z.object({ current: PasswordField, password: PasswordField })

export async function accountPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  app.get('/conta', OWN_ACCOUNT, (request, reply) => showAccount(request, reply, []))

  registerForm(app, '/conta/senha', {
    right: 'ownAccount',
    load: async () => null,
    toForm: () => ({ current: '', password: '' }),
    readForm: ({ body }) => PasswordChangeForm.parse(body),
    save: (request, _row, form) => saveOwnPassword(needs, request, form),
    view: (request, reply, { errors }) => showAccount(request, reply, errors),
    async done(_saved, _row, request, reply) {
      // The new password ended all known devices; this browser becomes one again.
      await setDeviceCookie(reply, needs, request.visitor.user)
      return reply.redirect(`${ACCOUNT_PATH}?feito=senha-trocada`, 303)
    },
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

  async function showAccount(request: FastifyRequest, reply: FastifyReply, errors: FormError[]) {
    const page = await loadAccount(needs, request)
    return show(request, reply, 'dashboard/account/account', { ...page, errors })
  }
}

async function saveOwnPassword(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { current, password }: z.output<typeof PasswordChangeForm>,
) {
  const { sessionId: keep, user, company } = request.visitor
  const fault = findPasswordFault(password, { email: user.email, companyName: company.name })
  if (fault) return refuseField('password', fault)
  const isChanged = await limitPasswordTries(needs, user.id, async () => {
    const wanted = { userId: user.id, current, password, keep }
    const { kind } = await changePassword(needs.db, wanted)
    return kind === 'changed'
  })
  if (!isChanged) return refuseField('current', ownAccountTexts.wrongPassword)
  await recordSecurityAct(needs, request, { action: 'password_changed' })
  return { kind: 'saved' as const }
}

export async function loadAccount({ db, now }: DashboardNeeds, { visitor }: FastifyRequest) {
  const { sessionId, user } = visitor
  const role: string = texts.roles[user.role]
  const sessions = await listSessions(db, user.id, now())
  return {
    title: ownAccountTexts.title,
    role,
    totpEnabled: user.totpEnabled,
    codesLeft: await countRecoveryCodes(db, user.id),
    sessions: sessions.map((session) => ({
      ...session,
      device: describeDevice(session.userAgent),
      isThis: session.id === sessionId,
    })),
  }
}
