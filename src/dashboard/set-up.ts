// `/configurar`: the first owner of an empty installation comes in with the code that the first start
// printed. Once there is somebody, the page does not exist.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { isSetupCode, setUp } from '../companies/first-start.ts'
import { hasUsers } from '../companies/user.ts'
import type { Database } from '../database/connect.ts'
import type { Seal } from '../database/seal.ts'
import { notFound, tooManyRequests } from '../http/errors.ts'
import type { Limiter } from '../http/limiter.ts'
import { type Asset, sendPage } from '../http/pages.ts'
import { text } from '../http/text.ts'
import { texts } from '../texts.ts'

export type SetUpNeeds = {
  db: Database
  seal: Seal
  limiter: Limiter
  asset: Asset
  baseUrl: string
}

const PATH = '/configurar'
const TRIES = { max: 10, windowMs: 60_000 }
const FIELDS = ['code', 'companyName', 'email', 'password'] as const

const Form = z.object({
  code: z.string().min(1).max(64),
  companyName: text({ min: 2, max: 128 }),
  email: z.email().max(254),
  password: z.string().min(10).max(128),
})

type Field = (typeof FIELDS)[number]
type Page = {
  values: Partial<Record<Field, string>>
  errors: { field: Field; message: string }[]
  /** Shown this once, when all is done. */
  key: string | null
}

export async function setUpRoutes(app: FastifyInstance, needs: SetUpNeeds) {
  const { db, seal } = needs

  app.addHook('onRequest', async () => {
    if (await hasUsers(db)) throw notFound()
  })

  app.get(PATH, (_request, reply) => send(reply, { values: {}, errors: [], key: null }))

  app.post<{ Body: Record<string, string> | undefined }>(PATH, async (request, reply) => {
    const { exceeded, retryAfterMs } = await needs.limiter.hit(`set-up:${request.ip}`, TRIES)
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), texts.checkout.tooMany)

    const body = request.body ?? {}
    const form = Form.safeParse(body)
    const wrong = new Set(form.error?.issues.map(({ path }) => path[0] as Field))
    if (!(await isSetupCode(db, String(body.code)))) wrong.add('code')
    if (!form.success || wrong.size > 0) return refuse(reply, body, wrong)
    const done = await setUp(db, seal, form.data)
    if (!done) throw notFound()
    return send(reply, { values: {}, errors: [], key: done.key })
  })

  function refuse(reply: FastifyReply, body: Record<string, string>, wrong: Set<Field>) {
    const { code = '', companyName = '', email = '' } = body
    const errors = FIELDS.filter((field) => wrong.has(field)).map((field) => ({
      field,
      message: texts.setUp[field],
    }))
    return send(reply.code(422), { values: { code, companyName, email }, errors, key: null })
  }

  function send(reply: FastifyReply, page: Page) {
    const { asset, baseUrl } = needs
    return sendPage(app, reply, 'dashboard/set-up', { ...page, asset, baseUrl })
  }
}
