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
import { curlOf } from '../layout/curl.ts'
import { type Typed, typedOf } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { Problem } from '../layout/page.ts'
import { letIn } from './start-session.ts'
import { setUpTexts } from './texts.ts'
import { doorOf } from './token-page.ts'

export type SetUpNeeds = Pick<
  DashboardNeeds,
  'db' | 'seal' | 'limiter' | 'asset' | 'baseUrl' | 'now'
>

const PATH = '/configurar'
const TRIES = { max: 10, windowMs: 60_000 }

const Form = z.object({
  code: z.string().min(1).max(64),
  companyName: text({ min: 2, max: 128 }),
  email: z.email().max(254),
  password: z.string().max(1024),
})

type Field = keyof typeof Form.shape
type Done = NonNullable<Awaited<ReturnType<typeof setUp>>>
const FIELDS = Object.keys(Form.shape) as Field[]

export async function setUpRoutes(app: FastifyInstance, needs: SetUpNeeds) {
  const { db, seal, limiter, baseUrl } = needs
  const show = doorOf(app, needs)

  app.addHook('onRequest', async () => {
    if (await hasUsers(db)) throw notFound()
  })

  app.get(PATH, (_request, reply) => ask(reply))

  app.post(PATH, async (request, reply) => {
    const { exceeded, retryAfterMs } = await limiter.hit(`set-up:${networkOf(request.ip)}`, TRIES)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.tooManyAttempts)

    const form = Form.safeParse(request.body)
    const errors = await faultsOf(typedOf(request.body), form.error)
    if (!form.success || errors.length > 0) {
      return ask(reply, typedOf(request.body, ['password']), errors)
    }
    const done = await setUp(db, seal, form.data)
    if (!done) throw notFound()
    await remember(request, done)
    await letIn(request, reply, needs, done.userId)
    const { key } = done
    const { doneTitle: title } = setUpTexts
    return show(reply, 'set-up-done', { title, key, curl: curlOf(baseUrl, key) })
  })

  /** All at once, in the order of the form. */
  async function faultsOf({ code = '', email = '', password = '' }: Typed, error?: z.ZodError) {
    const wrong = new Set(error?.issues.map(({ path }) => path[0]))
    if (!(await isSetupCode(db, code))) wrong.add('code')
    const fault = (field: Field) =>
      field === 'password'
        ? faultOfPassword(password, email)
        : wrong.has(field) && setUpTexts[field]
    return FIELDS.flatMap((field) => {
      const message = fault(field)
      return message ? [{ field, message }] : []
    })
  }

  async function remember({ ip: address }: FastifyRequest, done: Done) {
    const { companyId, userId, email, keyId, keyName } = done
    const by = { companyId, actor: email, userId, address, now: needs.now() }
    await recordAudit(db, { ...by, action: 'user_joined', subjectId: userId, subject: email })
    await recordAudit(db, { ...by, action: 'key_created', subjectId: keyId, subject: keyName })
  }

  function ask(reply: FastifyReply, typed: Typed = {}, errors: Problem[] = []) {
    return show(reply, 'set-up', { title: setUpTexts.title, typed, errors })
  }
}
