// `/configurar`: creates the first owner of an empty installation with the code that the first start printed, and signs
// in. After that the page does not exist.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import type { Database } from '../../database/connect.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { notFoundError } from '../../http/errors.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../http/fields.ts'
import { buildNetworkLimits, enforceLimits } from '../../http/limiter.ts'
import { textField } from '../../http/text.ts'
import { removeUnseen } from '../../payer-rules.js'
import { getKeys } from '../../record.ts'
import { texts } from '../../texts.ts'
import { createFirstOwner, type FirstOwner, isSetupCode } from '../../users/first-owner.ts'
import { findPasswordFault } from '../../users/password.ts'
import { hasUsers } from '../../users/user.ts'
import { passwordField, readTypedFields, registerForm, type TypedFields } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { buildCreateLinkCurl } from '../layout/values.ts'
import { startSession } from './session.ts'
import { setUpTexts } from './texts.ts'
import { createTokenPageRenderer } from './token-page.ts'

const SET_UP_PATH = '/configurar'
const SET_UP_LIMIT = { max: 10, windowMs: MINUTE_MS }

const SetUpForm = z.object({
  code: z.string().min(1).max(64),
  companyName: textField({ min: 2, max: NAME_MAX_LENGTH }),
  email: z.string().transform(removeUnseen).pipe(z.email().max(EMAIL_MAX_LENGTH)),
  password: passwordField,
})

const SET_UP_FIELDS = getKeys(SetUpForm.shape)

export async function setUpPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, baseUrl } = needs
  const show = createTokenPageRenderer(needs)

  app.addHook('onRequest', async () => {
    if (await hasUsers(db)) throw notFoundError()
  })

  registerForm(app, SET_UP_PATH, {
    right: null,
    load: async () => null,
    toForm: (): TypedFields => ({}),
    readForm: ({ body }) => readTypedFields(body),
    save: (request, _row, typed) => setUp(needs, request, typed),
    view: async (_request, reply, { form: { password: _, ...typed }, errors }) =>
      show(reply, 'dashboard/access/set-up', { title: setUpTexts.title, typed, errors }),
    async done({ owner: { userId, key } }, _row, request, reply) {
      await startSession(request, reply, needs, userId, { isNew: true })
      const curl = buildCreateLinkCurl(baseUrl, key)
      return show(reply, 'dashboard/access/set-up-done', { title: setUpTexts.doneTitle, key, curl })
    },
  })
}

async function setUp(needs: DashboardNeeds, request: FastifyRequest, typed: TypedFields) {
  const { db, cipher, limiter, now } = needs
  const limits = buildNetworkLimits('set-up', request.ip, SET_UP_LIMIT)
  await enforceLimits(limiter, limits, texts.tooManyAttempts)
  const form = SetUpForm.safeParse(typed)
  const errors = await findSetUpErrors(db, typed, form.error)
  if (!form.success || errors.length > 0) return { kind: 'invalid' as const, errors }
  const done = await createFirstOwner(db, cipher, form.data, now())
  if (done.kind === 'alreadyOwned') throw notFoundError()
  await recordSetUpAudit(needs, request, done)
  return { kind: 'saved' as const, owner: done }
}

/** Returns all errors, in the order of the form. */
async function findSetUpErrors(
  db: Database,
  { code = '', companyName = '', email = '', password = '' }: TypedFields,
  error?: z.ZodError,
) {
  const wrong = new Set(error?.issues.map(({ path }) => path[0]))
  if (!(await isSetupCode(db, code))) wrong.add('code')
  return SET_UP_FIELDS.flatMap((field) => {
    const message =
      field === 'password'
        ? findPasswordFault(password, { email, companyName })
        : wrong.has(field) && setUpTexts[field]
    return message ? [{ field, message }] : []
  })
}

async function recordSetUpAudit(
  { db, now }: DashboardNeeds,
  { ip: address }: FastifyRequest,
  { companyId, testCompanyId, userId, email, keyId, keyName }: FirstOwner,
) {
  const by = { actor: email, userId, address, now: now() }
  const person = { subjectId: userId, subject: email }
  const key = { subjectId: keyId, subject: keyName }
  await recordAudit(db, { ...by, companyId, action: 'user_joined', ...person })
  await recordAudit(db, { ...by, companyId: testCompanyId, action: 'key_created', ...key })
}
