// `/configurar`: the first owner of an empty installation comes in with the code that the first start
// printed, and is signed in. Once there is somebody, the page does not exist.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { notFound, tooManyRequests } from '../../http/errors.ts'
import { networkOf } from '../../http/ip.ts'
import { text } from '../../http/text.ts'
import { texts } from '../../texts.ts'
import { isSetupCode, setUp } from '../../users/first-owner.ts'
import { faultOfPassword } from '../../users/password-policy.ts'
import { hasUsers } from '../../users/user.ts'
import { buildCreateLinkCurl } from '../layout/curl.ts'
import { readTypedFields, type TypedFields } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { startSession } from './start-session.ts'
import { setUpTexts } from './texts.ts'
import { createTokenPageRenderer } from './token-page.ts'

export type SetUpNeeds = Pick<
  DashboardNeeds,
  'db' | 'seal' | 'limiter' | 'asset' | 'baseUrl' | 'now'
>

const SET_UP_PATH = '/configurar'
const SET_UP_LIMIT = { max: 10, windowMs: 60_000 }

const SetUpForm = z.object({
  code: z.string().min(1).max(64),
  companyName: text({ min: 2, max: 128 }),
  email: z.email().max(254),
  password: z.string().max(1024),
})

type SetUpField = keyof typeof SetUpForm.shape
type SetUpResult = NonNullable<Awaited<ReturnType<typeof setUp>>>
const SET_UP_FIELDS = Object.keys(SetUpForm.shape) as SetUpField[]

export async function setUpPages(app: FastifyInstance, needs: SetUpNeeds) {
  const { db, seal, limiter, baseUrl } = needs
  const show = createTokenPageRenderer(app, needs)

  app.addHook('onRequest', async () => {
    if (await hasUsers(db)) throw notFound()
  })

  app.get(SET_UP_PATH, (_request, reply) => ask(reply))

  app.post(SET_UP_PATH, async (request, reply) => {
    const { exceeded, retryAfterMs } = await limiter.hit(
      `set-up:${networkOf(request.ip)}`,
      SET_UP_LIMIT,
    )
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)

    const form = SetUpForm.safeParse(request.body)
    const errors = await faultsOf(readTypedFields(request.body), form.error)
    if (!form.success || errors.length > 0) {
      return ask(reply, readTypedFields(request.body, ['password']), errors)
    }
    const done = await setUp(db, seal, form.data)
    if (!done) throw notFound()
    await remember(request, done)
    await startSession(request, reply, needs, done.userId)
    const { key } = done
    const { doneTitle: title } = setUpTexts
    return show(reply, 'dashboard/access/set-up-done', {
      title,
      key,
      curl: buildCreateLinkCurl(baseUrl, key),
    })
  })

  /** All at once, in the order of the form. */
  async function faultsOf(
    { code = '', email = '', password = '' }: TypedFields,
    error?: z.ZodError,
  ) {
    const wrong = new Set(error?.issues.map(({ path }) => path[0]))
    if (!(await isSetupCode(db, code))) wrong.add('code')
    const fault = (field: SetUpField) =>
      field === 'password'
        ? faultOfPassword(password, email)
        : wrong.has(field) && setUpTexts[field]
    return SET_UP_FIELDS.flatMap((field) => {
      const message = fault(field)
      return message ? [{ field, message }] : []
    })
  }

  async function remember({ ip: address }: FastifyRequest, done: SetUpResult) {
    const { companyId, userId, email, keyId, keyName } = done
    const by = { companyId, actor: email, userId, address, now: needs.now() }
    await recordAudit(db, { ...by, action: 'user_joined', subjectId: userId, subject: email })
    await recordAudit(db, { ...by, action: 'key_created', subjectId: keyId, subject: keyName })
  }

  function ask(reply: FastifyReply, typed: TypedFields = {}, errors: FormError[] = []) {
    return show(reply, 'dashboard/access/set-up', { title: setUpTexts.title, typed, errors })
  }
}
