// `/painel/conta/duas-etapas`: turning the second step on and off, and its recovery codes, which are
// seen only on the answer that makes them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordSecurityChange } from '../../mail/security.ts'
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
import { type DashboardNeeds, getAuditActor, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer, type FormError, type RenderPage } from '../layout/page.ts'
import { ACCOUNT_PATH } from '../layout/paths.ts'
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
        await recordTwoFactorAudit(needs, request, 'totp_enabled')
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
const CONFIRMED_ACTIONS = {
  disable: { path: 'desativar', isDangerous: true },
  renew: { path: 'codigos', isDangerous: false },
} as const

export async function twoFactorChangePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/conta/duas-etapas/desativar', OWN_ACCOUNT, (request, reply) =>
    showCodeForm(request, reply, 'disable'),
  )

  app.post('/conta/duas-etapas/desativar', OWN_ACCOUNT, async (request, reply) => {
    if (!(await isCodeRight(request))) return rejectCode(request, reply, 'disable')
    const { kind } = await disableTotp(db, request.visitor.user.id)
    if (kind === 'disabled') await recordTwoFactorAudit(needs, request, 'totp_disabled')
    return reply.redirect(`${ACCOUNT_PATH}?feito=duas-etapas-desativada`, 303)
  })

  app.get('/conta/duas-etapas/codigos', OWN_ACCOUNT, (request, reply) =>
    showCodeForm(request, reply, 'renew'),
  )

  app.post('/conta/duas-etapas/codigos', OWN_ACCOUNT, async (request, reply) => {
    if (!(await isCodeRight(request))) return rejectCode(request, reply, 'renew')
    const renewed = await renewRecoveryCodes(db, request.visitor.user.id)
    if (renewed.kind === 'notEnabled') return reply.redirect(ACCOUNT_PATH, 303)
    await recordTwoFactorAudit(needs, request, 'recovery_codes_renewed')
    return showRecoveryCodes(show, request, reply, {
      codes: renewed.recoveryCodes,
      isNew: false,
    })
  })

  function showCodeForm(
    request: FastifyRequest,
    reply: FastifyReply,
    what: keyof typeof CONFIRMED_ACTIONS,
    errors: FormError[] = [],
  ) {
    if (!request.visitor.user.totpEnabled) return reply.redirect(ACCOUNT_PATH, 303)
    const { path, isDangerous } = CONFIRMED_ACTIONS[what]
    return show(request, reply, 'dashboard/account/second-step', {
      ...words[what],
      ...{ section: 'conta', errors, action: `${TWO_FACTOR_PATH}/${path}`, isDangerous },
    })
  }

  function rejectCode(
    request: FastifyRequest,
    reply: FastifyReply,
    what: keyof typeof CONFIRMED_ACTIONS,
  ) {
    return showCodeForm(request, reply, what, [{ field: 'code', message: stepUpTexts.wrongCode }])
  }

  function isCodeRight(request: FastifyRequest) {
    const { code } = CodeForm.parse(request.body ?? {})
    return verifyOwnCode(needs, request, code)
  }
}

function recordTwoFactorAudit(
  { db, mail, now }: DashboardNeeds,
  request: FastifyRequest,
  action: 'totp_enabled' | 'totp_disabled' | 'recovery_codes_renewed',
) {
  return recordSecurityChange(db, mail, { ...getAuditActor(request), action, now: now() })
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
