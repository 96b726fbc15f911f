// `/painel/conta/duas-etapas`: turning the second step on and off, and its recovery codes, which are
// seen only on the answer that makes them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { drawQr } from '../../payment-links/qr.ts'
import {
  confirmTotpSetup,
  disableTotp,
  findPendingTotpSetup,
  renewRecoveryCodes,
  startTotpSetup,
} from '../../users/two-factor.ts'
import { verifyOwnCode } from '../access/current-password.ts'
import { stepUpTexts } from '../access/texts.ts'
import { type DashboardNeeds, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer, type FormError, type RenderPage } from '../layout/page.ts'
import { ACCOUNT_PATH } from '../layout/paths.ts'
import { recordSecurityAct } from '../layout/security.ts'
import { ownAccountTexts } from './texts.ts'

const OWN_ACCOUNT = requireRight('ownAccount')
const OWN_ACCOUNT_STEP_UP = requireRight('ownAccount', STEP_UP)

const TWO_FACTOR_PATH = `${ACCOUNT_PATH}/duas-etapas`
const words = ownAccountTexts.twoSteps

const CodeForm = z.object({ code: z.string().max(32).catch('') })

export async function twoFactorPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher } = needs
  const show = createPageRenderer(needs)

  app.post('/conta/duas-etapas', OWN_ACCOUNT_STEP_UP, async (request, reply) => {
    await startTotpSetup(db, cipher, request.visitor.user.id)
    return reply.redirect(TWO_FACTOR_PATH, 303)
  })

  app.get('/conta/duas-etapas', OWN_ACCOUNT_STEP_UP, (request, reply) => showSetUp(request, reply))

  app.post('/conta/duas-etapas/confirmar', OWN_ACCOUNT_STEP_UP, async (request, reply) => {
    const { code } = CodeForm.parse(request.body)
    const { id } = request.visitor.user
    const confirmed = await confirmTotpSetup(db, cipher, id, code, needs.now())
    switch (confirmed.kind) {
      case 'wrongCode':
      case 'notPending':
        return showSetUp(request, reply, [{ field: 'code', message: words.code }])
      case 'enabled':
        await recordSecurityAct(needs, request, { action: 'totp_enabled' })
        return showRecoveryCodes(show, request, reply, {
          codes: confirmed.recoveryCodes,
          isNew: true,
        })
    }
  })

  async function showSetUp(request: FastifyRequest, reply: FastifyReply, errors: FormError[] = []) {
    const begun = await findPendingTotpSetup(db, cipher, request.visitor.user.id)
    if (!begun) return reply.redirect(ACCOUNT_PATH, 303)
    return show(request, reply, 'dashboard/account/two-factor', {
      title: words.title,
      section: 'conta',
      errors,
      qr: drawQr(begun.uri, words.qr),
      uri: begun.uri,
      // In fours, as people type it.
      secret: begun.secret.replace(/(....)(?=.)/g, '$1 '),
    })
  }
}

/** What takes a code of the second step itself: whoever has the password alone must not undo it. */
export async function twoFactorChangePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  registerCodeForm('desativar', { ...words.disable, isDangerous: true }, async (request, reply) => {
    const { kind } = await disableTotp(db, request.visitor.user.id)
    if (kind === 'disabled') await recordSecurityAct(needs, request, { action: 'totp_disabled' })
    return reply.redirect(`${ACCOUNT_PATH}?feito=duas-etapas-desativada`, 303)
  })

  registerCodeForm('codigos', { ...words.renew, isDangerous: false }, async (request, reply) => {
    const renewed = await renewRecoveryCodes(db, request.visitor.user.id)
    if (renewed.kind === 'notEnabled') return reply.redirect(ACCOUNT_PATH, 303)
    await recordSecurityAct(needs, request, { action: 'recovery_codes_renewed' })
    const { recoveryCodes: codes } = renewed
    return showRecoveryCodes(show, request, reply, { codes, isNew: false })
  })

  function registerCodeForm(
    path: string,
    question: { title: string; question: string; button: string; isDangerous: boolean },
    act: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) {
    app.get(`/conta/duas-etapas/${path}`, OWN_ACCOUNT, (request, reply) => ask(request, reply))

    app.post(`/conta/duas-etapas/${path}`, OWN_ACCOUNT, async (request, reply) => {
      const { code } = CodeForm.parse(request.body ?? {})
      if (await verifyOwnCode(needs, request, code)) return act(request, reply)
      return ask(request, reply, [{ field: 'code', message: stepUpTexts.wrongCode }])
    })

    function ask(request: FastifyRequest, reply: FastifyReply, errors: FormError[] = []) {
      if (!request.visitor.user.totpEnabled) return reply.redirect(ACCOUNT_PATH, 303)
      const action = `${TWO_FACTOR_PATH}/${path}`
      const page = { section: 'conta' as const, errors, action, ...question }
      return show(request, reply, 'dashboard/account/second-step', page)
    }
  }
}

function showRecoveryCodes(
  show: RenderPage,
  request: FastifyRequest,
  reply: FastifyReply,
  { codes, isNew }: { codes: string[]; isNew: boolean },
) {
  const list = codes.join('\n')
  const file = [words.file(request.visitor.user.email), words.once, '', ...codes, ''].join('\r\n')
  return show(request, reply, 'dashboard/account/recovery-codes', {
    ...{ title: words.codes, section: 'conta', list, isNew },
    file: `data:text/plain;charset=utf-8,${encodeURIComponent(file)}`,
  })
}
