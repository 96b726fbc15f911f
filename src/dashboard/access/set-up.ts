// `/configurar`: the first owner of an empty installation comes in with the code that the first start
// printed, and is signed in. Once there is somebody, the page does not exist.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { notFoundError } from '../../http/errors.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../http/fields.ts'
import { buildNetworkLimits, enforceLimits } from '../../http/limiter.ts'
import { removeUnseen, textField } from '../../http/text.ts'
import { getKeys } from '../../record.ts'
import { texts } from '../../texts.ts'
import { createFirstOwner, type FirstOwner, isSetupCode } from '../../users/first-owner.ts'
import { findPasswordFault } from '../../users/password-policy.ts'
import { hasUsers } from '../../users/user.ts'
import { buildCreateLinkCurl } from '../layout/curl.ts'
import { passwordField, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { startSession } from './start-session.ts'
import { setUpTexts } from './texts.ts'
import { createTokenPageRenderer } from './token-page.ts'

type SetUpNeeds = Pick<DashboardNeeds, 'db' | 'cipher' | 'limiter' | 'asset' | 'baseUrl' | 'now'>

const SET_UP_PATH = '/configurar'
const SET_UP_LIMIT = { max: 10, windowMs: MINUTE_MS }

const SetUpForm = z.object({
  code: z.string().min(1).max(64),
  companyName: textField({ min: 2, max: NAME_MAX_LENGTH }),
  email: z.string().transform(removeUnseen).pipe(z.email().max(EMAIL_MAX_LENGTH)),
  password: passwordField,
})

type SetUpField = keyof typeof SetUpForm.shape
const SET_UP_FIELDS = getKeys(SetUpForm.shape)

export async function setUpPages(app: FastifyInstance, needs: SetUpNeeds) {
  const { db, cipher, limiter, baseUrl } = needs
  const show = createTokenPageRenderer(needs)

  app.addHook('onRequest', async () => {
    if (await hasUsers(db)) throw notFoundError()
  })

  app.get(SET_UP_PATH, (_request, reply) => showSetUpForm(reply))

  app.post(SET_UP_PATH, async (request, reply) => {
    const limits = buildNetworkLimits('set-up', request.ip, SET_UP_LIMIT)
    await enforceLimits(limiter, limits, texts.tooManyAttempts)

    const form = SetUpForm.safeParse(request.body)
    const errors = await findSetUpErrors(readTypedFields(request.body), form.error)
    if (!form.success || errors.length > 0) {
      return showSetUpForm(reply, readTypedFields(request.body, ['password']), errors)
    }
    const done = await createFirstOwner(db, cipher, form.data, needs.now())
    if (done.kind === 'alreadyOwned') throw notFoundError()
    await recordSetUpAudit(request, done)
    await startSession(request, reply, needs, done.userId, { isNew: true })
    const { key } = done
    const { doneTitle: title } = setUpTexts
    return show(reply, 'dashboard/access/set-up-done', {
      title,
      key,
      curl: buildCreateLinkCurl(baseUrl, key),
    })
  })

  /** All at once, in the order of the form. */
  async function findSetUpErrors(
    { code = '', companyName = '', email = '', password = '' }: TypedFields,
    error?: z.ZodError,
  ) {
    const wrong = new Set(error?.issues.map(({ path }) => path[0]))
    if (!(await isSetupCode(db, code))) wrong.add('code')
    const fault = (field: SetUpField) =>
      field === 'password'
        ? findPasswordFault(password, { email, companyName })
        : wrong.has(field) && setUpTexts[field]
    return SET_UP_FIELDS.flatMap((field) => {
      const message = fault(field)
      return message ? [{ field, message }] : []
    })
  }

  async function recordSetUpAudit({ ip: address }: FastifyRequest, done: FirstOwner) {
    const { companyId, testCompanyId, userId, email, keyId, keyName } = done
    const by = { actor: email, userId, address, now: needs.now() }
    const person = { subjectId: userId, subject: email }
    const key = { subjectId: keyId, subject: keyName }
    await recordAudit(db, { ...by, companyId, action: 'user_joined', ...person })
    await recordAudit(db, { ...by, companyId: testCompanyId, action: 'key_created', ...key })
  }

  function showSetUpForm(reply: FastifyReply, typed: TypedFields = {}, errors: FormError[] = []) {
    return show(reply, 'dashboard/access/set-up', { title: setUpTexts.title, typed, errors })
  }
}
