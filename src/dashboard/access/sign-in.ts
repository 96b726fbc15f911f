// `/painel/entrar`: signs a person in by password and, if it is on, the code of the second step (`/entrar/codigo`).
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { actorTexts } from '../../companies/texts.ts'
import { EMAIL_MAX_LENGTH, toRecord } from '../../http/fields.ts'
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
import { type FormRequest, passwordField, registerForm, type ShownForm } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { SIGN_IN_PATH } from '../layout/paths.ts'
import { doneTexts } from '../layout/texts.ts'
import { readDeviceToken, startSession } from './session.ts'
import { findVisitor, parseReturnPath } from './session-guard.ts'
import { signInTexts } from './texts.ts'
import { createBackgroundRunner, createTokenPageRenderer } from './token-page.ts'

/** What is too long counts as empty. `ticket`: replaces the password when the code is sent. */
const SignInForm = z.object({
  email: z.string().max(EMAIL_MAX_LENGTH).catch(''),
  password: passwordField.catch(''),
  ticket: z.string().max(1024).catch(''),
  code: z.string().max(32).catch(''),
  voltar: z.unknown().optional().transform(parseReturnPath),
})
/** `waitMs`: set after too many tries. */
type SignInForm = z.output<typeof SignInForm> & { waitMs?: number }
type SignIn = (request: FormRequest, form: SignInForm) => Promise<SignInResult | CodeSignInResult>

/** Needs no session. */
export async function signInPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, limiter, cipher } = needs
  const show = createTokenPageRenderer(needs)
  const runBehindAnswer = createBackgroundRunner(app, needs, 'a failed sign-in was not recorded')

  registerSignIn('/entrar', (request, { email, password }) => {
    const deviceToken = readDeviceToken(request, needs, email)
    return signInWithPassword(db, { email, password }, { ...from(request), deviceToken })
  })

  registerSignIn('/entrar/codigo', (request, { ticket, code }) =>
    signInWithCode(db, { ticket, code }, from(request)),
  )

  function registerSignIn(path: string, signIn: SignIn) {
    registerForm(app, path, {
      right: null,
      load: (request) => findOtherPath(request, path),
      toForm: (_row, { query }): SignInForm => SignInForm.parse({ voltar: toRecord(query).voltar }),
      readForm: ({ body }): SignInForm => SignInForm.parse(toRecord(body)),
      save: async (request, _row, form) => toOutcome(await signIn(request, form), form),
      view: (request, reply, shown) => showSignIn(request, reply, shown),
      async done({ userId }, _row, request, reply) {
        await startSession(request, reply, needs, userId, { isNew: false })
        return reply.redirect(SignInForm.parse(toRecord(request.body)).voltar, 303)
      },
    })
  }

  /** Null when the form is shown. */
  async function findOtherPath(request: FormRequest, path: string) {
    if (request.method === 'POST') return null
    if (!(await hasUsers(db))) return '/configurar'
    if (path !== '/entrar') return SIGN_IN_PATH
    // The person signed in meanwhile in another tab.
    const isIn = await findVisitor(request, needs)
    return isIn ? parseReturnPath(toRecord(request.query).voltar) : null
  }

  function showSignIn(
    { query }: FormRequest,
    reply: FastifyReply,
    { form, errors }: ShownForm<SignInForm>,
  ) {
    const { email, ticket, voltar: back, waitMs } = form
    const { titles } = signInTexts
    if (waitMs !== undefined) reply.code(429).header('retry-after', Math.ceil(waitMs / 1000))
    if (ticket) {
      const page = { title: titles.code, ticket, back, errors }
      return show(reply, 'dashboard/access/sign-in-code', page)
    }
    const { feito, enviado } = toRecord(query)
    const done = feito === 'senha' ? doneTexts.senha : null
    const page = { title: titles.password, email, back, isSent: enviado === 'sim' }
    return show(reply, 'dashboard/access/sign-in', { ...page, errors, done })
  }

  function from({ ip: address }: FormRequest) {
    const now = needs.now()
    const onFailure = (userId: string) => {
      runBehindAnswer(recordFailure(needs, { userId, network: getNetwork(address), now }))
    }
    return { limiter, cipher, address, now, onFailure }
  }
}

function toOutcome(answer: SignInResult | CodeSignInResult, form: SignInForm) {
  const { ticket } = form
  const refuse = (message: string, changed: Partial<SignInForm> = {}) => {
    const next = { ...form, ...changed }
    const errors = [{ field: next.ticket ? 'code' : 'email', message }]
    return { kind: 'invalid' as const, errors, form: next }
  }
  switch (answer.kind) {
    case 'in':
      return { kind: 'saved' as const, userId: answer.userId }
    case 'code':
      return { kind: 'invalid' as const, errors: [], form: { ...form, ticket: answer.ticket } }
    case 'expired':
      return refuse(signInTexts.expired, { ticket: '' })
    case 'refused':
      return refuse(ticket ? signInTexts.code : signInTexts.password)
    case 'wait':
      return refuse(signInTexts.wait, { waitMs: answer.retryAfterMs })
  }
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
