// `/painel/conta/duas-etapas`: turns the second step on and off, and shows its recovery codes once, when they are
// created.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { drawQr } from '../../payment-links/qr.ts'
import {
  confirmTotpSetup,
  disableTotp,
  findPendingTotpSetup,
  renewRecoveryCodes,
  startTotpSetup,
} from '../../users/two-factor.ts'
import { verifyOwnCode } from '../access/step-up.ts'
import { stepUpTexts } from '../access/texts.ts'
import { type FormRequest, readTypedFields, refuseField, registerForm } from '../layout/form.ts'
import { type DashboardNeeds, recordSecurityAct, requireRight, STEP_UP } from '../layout/needs.ts'
import { ACCOUNT_PATH } from '../layout/paths.ts'
import { ownAccountTexts } from './texts.ts'

type PendingSetup = NonNullable<Awaited<ReturnType<typeof findPendingTotpSetup>>>
type CodeQuestion = 'desativar' | 'codigos'
type Question = { title: string; question: string; button: string; isDangerous: boolean }

const TWO_FACTOR_PATH = `${ACCOUNT_PATH}/duas-etapas`
const words = ownAccountTexts.twoSteps
const CODE_QUESTIONS: Record<CodeQuestion, Question> = {
  desativar: { ...words.disable, isDangerous: true },
  codigos: { ...words.renew, isDangerous: false },
}

export async function twoFactorPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher, show } = needs

  const begin = requireRight('ownAccount', STEP_UP)
  app.post('/conta/duas-etapas', begin, async (request, reply) => {
    await startTotpSetup(db, cipher, request.visitor.user.id)
    return reply.redirect(`${TWO_FACTOR_PATH}/confirmar`, 303)
  })

  registerForm(app, '/conta/duas-etapas/confirmar', {
    right: 'ownAccount',
    stepUp: true,
    load: async ({ visitor: { user } }) =>
      (await findPendingTotpSetup(db, cipher, user.id)) ?? ACCOUNT_PATH,
    toForm: () => '',
    readForm: readCode,
    async save(request, _pending, code) {
      const { id } = request.visitor.user
      const confirmed = await confirmTotpSetup(db, cipher, id, code, needs.now())
      if (confirmed.kind !== 'enabled') return refuseField('code', words.code)
      await recordSecurityAct(needs, request, { action: 'totp_enabled' })
      return { kind: 'saved', codes: confirmed.recoveryCodes }
    },
    view: (request, reply, { errors }, pending) =>
      show(request, reply, 'dashboard/account/two-factor', { ...toSetupPage(pending), errors }),
    done: ({ codes }, _pending, request, reply) =>
      show(request, reply, 'dashboard/account/recovery-codes', toCodesPage(request, codes, true)),
  })

  registerCodeForm(app, needs, 'desativar', async (request) => {
    const { kind } = await disableTotp(db, request.visitor.user.id)
    if (kind === 'disabled') await recordSecurityAct(needs, request, { action: 'totp_disabled' })
    return null
  })

  registerCodeForm(app, needs, 'codigos', async (request) => {
    const renewed = await renewRecoveryCodes(db, request.visitor.user.id)
    if (renewed.kind === 'notEnabled') return null
    await recordSecurityAct(needs, request, { action: 'recovery_codes_renewed' })
    return renewed.recoveryCodes
  })
}

/**
 * Registers a form that needs a code of the second step, so that the password alone cannot turn it off.
 * @param act returns new recovery codes, if there are any
 */
function registerCodeForm(
  app: FastifyInstance,
  needs: DashboardNeeds,
  question: CodeQuestion,
  act: (request: FormRequest) => Promise<string[] | null>,
) {
  const { show } = needs
  registerForm(app, `/conta/duas-etapas/${question}`, {
    right: 'ownAccount',
    load: async ({ visitor: { user } }) => (user.totpEnabled ? user : ACCOUNT_PATH),
    toForm: () => '',
    readForm: readCode,
    async save(request, _user, code) {
      const isOwn = await verifyOwnCode(needs, request, code)
      if (!isOwn) return refuseField('code', stepUpTexts.wrongCode)
      return { kind: 'saved', codes: await act(request) }
    },
    view: (request, reply, { errors }) =>
      show(request, reply, 'dashboard/account/second-step', {
        ...toQuestionPage(question),
        errors,
      }),
    done: ({ codes }, _user, request, reply) =>
      codes
        ? show(request, reply, 'dashboard/account/recovery-codes', toCodesPage(request, codes))
        : `${ACCOUNT_PATH}?feito=duas-etapas-desativada`,
  })
}

function readCode({ body }: FastifyRequest) {
  return readTypedFields(body).code ?? ''
}

export function toSetupPage({ uri, secret }: PendingSetup) {
  return {
    title: words.title,
    qr: drawQr(uri, words.qr),
    uri,
    // In groups of four, for typing.
    secret: secret.replace(/(....)(?=.)/g, '$1 '),
  }
}

export function toQuestionPage(question: CodeQuestion) {
  const action = `${TWO_FACTOR_PATH}/${question}`
  return { ...CODE_QUESTIONS[question], action }
}

/** `isNew`: these are the person's first codes. */
export function toCodesPage({ visitor }: FastifyRequest, codes: string[], isNew = false) {
  const file = [words.file(visitor.user.email), words.once, '', ...codes, ''].join('\r\n')
  return {
    title: words.codes,
    list: codes.join('\n'),
    file: `data:text/plain;charset=utf-8,${encodeURIComponent(file)}`,
    isNew,
  }
}
