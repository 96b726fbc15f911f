// `/painel/entrar`: signs a person in by password and, if it is on, the code of the second step.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { actorTexts } from '../../companies/texts.ts'
import { EMAIL_MAX_LENGTH, toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { getNetwork } from '../../http/ip.ts'
import { queueSecurityMail } from '../../mail/security.ts'
import {
  type CodeSignInResult,
  recordFailedSignIn,
  type SignInResult,
  signInWithCode,
  signInWithPassword,
} from '../../users/sign-in.ts'
import { hasUsers } from '../../users/user.ts'
import { passwordField } from '../layout/forms/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { doneTexts } from '../layout/texts.ts'
import { createBackgroundRunner } from './background.ts'
import { readDeviceToken } from './device.ts'
import { parseReturnPath } from './return-path.ts'
import { findVisitor } from './session-guard.ts'
import { startSession } from './start-session.ts'
import { signInTexts } from './texts.ts'
import type { TokenPage } from './token-page.ts'

const SignInForm = z.object({ email: z.string().max(EMAIL_MAX_LENGTH), password: passwordField })
const SignInCodeForm = z.object({ ticket: z.string().max(1024), code: z.string().max(32) })

/** The title is in the view. */
type SignInPage<Own extends object> = Omit<TokenPage<object>, 'title'> & Own

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/access/sign-in': SignInPage<{
      email: string
      back: string
      /** The session ended before a form was sent. */
      isSent: boolean
    }>
    'dashboard/access/sign-in-code': SignInPage<{ ticket: string; back: string }>
  }
}

type SignInState = {
  email: string
  ticket: string | null
  back: string
  errors: FormError[]
}

/** Needs no session. */
export async function signInPages(app: FastifyInstance, needs: DashboardNeeds) {
  const behindTheAnswer = createBackgroundRunner(app, needs, 'a failed sign-in was not recorded')

  app.get('/entrar', async (request, reply) => {
    if (!(await hasUsers(needs.db))) return reply.redirect('/configurar', 303)
    const { voltar, feito, enviado } = toRecord(request.query)
    // The person signed in meanwhile in another tab.
    if (await findVisitor(request, needs)) return reply.redirect(parseReturnPath(voltar), 303)
    const done = feito === 'senha' ? doneTexts.senha : null
    const state = { email: '', ticket: null, back: parseReturnPath(voltar), errors: [] }
    return show(reply, { ...state, done, isSent: enviado === 'sim' })
  })

  app.post('/entrar', async (request, reply) => {
    const form = SignInForm.safeParse(request.body)
    const { email, password } = form.data ?? { email: '', password: '' }
    const answer = await signInWithPassword(
      needs.db,
      { email, password },
      { ...from(request), deviceToken: readDeviceToken(request, needs, email) },
    )
    const back = readWayBack(request)
    return sendSignInResult(request, reply, answer, { email, ticket: null, back })
  })

  app.post('/entrar/codigo', async (request, reply) => {
    const form = SignInCodeForm.safeParse(request.body)
    const { ticket, code } = form.data ?? { ticket: '', code: '' }
    const answer = await signInWithCode(needs.db, { ticket, code }, from(request))
    const back = readWayBack(request)
    return sendSignInResult(request, reply, answer, { email: '', ticket, back })
  })

  function from({ ip: address }: FastifyRequest) {
    const now = needs.now()
    const onFailure = (userId: string) => {
      behindTheAnswer(recordFailure(needs, { userId, network: getNetwork(address), now }))
    }
    return { limiter: needs.limiter, cipher: needs.cipher, address, now, onFailure }
  }

  async function sendSignInResult(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: SignInResult | CodeSignInResult,
    state: Omit<SignInState, 'errors'>,
  ) {
    switch (answer.kind) {
      case 'in':
        await startSession(request, reply, needs, answer.userId, { isNew: false })
        return reply.redirect(state.back, 303)
      case 'code':
        return show(reply, { ...state, ticket: answer.ticket, errors: [] })
      case 'expired':
        return show(reply.code(422), {
          ...state,
          ticket: null,
          errors: toSignInErrors('expired', null),
        })
      case 'refused':
        return show(reply.code(422), {
          ...state,
          errors: toSignInErrors(state.ticket ? 'code' : 'password', state.ticket),
        })
      case 'wait':
        reply.code(429).header('retry-after', Math.ceil(answer.retryAfterMs / 1000))
        return show(reply, { ...state, errors: toSignInErrors('wait', state.ticket) })
    }
  }

  function show(
    reply: FastifyReply,
    { ticket, ...state }: SignInState & { done?: string | null; isSent?: boolean },
  ) {
    const page = { done: null, isSent: false, ...state, asset: needs.asset }
    return ticket
      ? sendPage(reply, 'dashboard/access/sign-in-code', { ...page, ticket })
      : sendPage(reply, 'dashboard/access/sign-in', page)
  }
}

function readWayBack({ body }: FastifyRequest) {
  return parseReturnPath(toRecord(body).voltar)
}

/** Adds it to the audit log; when there are many in an hour, sends one e-mail. */
async function recordFailure(
  { db, mail }: DashboardNeeds,
  failure: Parameters<typeof recordFailedSignIn>[1],
) {
  const many = await recordFailedSignIn(db, failure)
  if (!many) return
  const { companyId, email: subject } = many
  const { userId, network: address, now } = failure
  const notice = { companyId, userId, actor: actorTexts.stranger, subject, address, now }
  const about = { what: 'sign_in_failed', device: null, testMode: false } as const
  await queueSecurityMail(mail, db, { ...notice, ...about })
}

function toSignInErrors(
  kind: 'password' | 'code' | 'expired' | 'wait',
  ticket: string | null,
): FormError[] {
  const field = ticket ? 'code' : 'email'
  return [{ field, message: signInTexts[kind] }]
}
