// `/painel/chaves`: the company's API keys: made, and shown on the very answer that made them; revoked.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  findApiKey,
  issueApiKeyOnce,
  type ListedKey,
  pageApiKeys,
  revokeApiKey,
} from '../../api/api-key.ts'
import { apiKeyTexts } from '../../api/texts.ts'
import { recordAudit } from '../../companies/audit.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { page } from '../../http/pagination.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagerOf, pagesOf, placeOf } from '../layout/page.ts'
import { agoOf } from '../layout/relative-time.ts'
import { sectionTitles } from '../layout/texts.ts'
import { apiKeyPageTexts } from './texts.ts'
import {
  blankKey,
  curlFor,
  isOver,
  type KeyForm,
  keyRow,
  readKey,
  SCOPE_CHOICES,
  scopesText,
  typedKey,
} from './view.ts'

export type KeyById = { Params: { id: string } }

const PATH = '/painel/chaves'
const owners = { config: { owners: true } }

export async function keyPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)
  const words = apiKeyPageTexts

  app.get('/chaves', owners, async (request, reply) => {
    const query = placeOf(request)
    const rows = await pageApiKeys(db, request.visitor.company.id, query)
    const { data, nextCursor } = page(rows, query.limit)
    return show(request, reply, 'keys/list', {
      title: sectionTitles.chaves,
      section: 'chaves',
      keys: data.map((key) => keyRow(key, needs.now())),
      pager: pagerOf(request, nextCursor),
    })
  })

  app.get('/chaves/nova', owners, (request, reply) => showForm(request, reply, blankKey()))

  app.post('/chaves/nova', owners, async (request, reply) => {
    const form = typedKey(request.body)
    const { values, errors } = readKey(form)
    if (!values) return showForm(request, reply, form, errors)
    const companyId = request.visitor.company.id
    const made = await db.transaction(async (tx) => {
      const issued = await issueApiKeyOnce(tx, { ...values, companyId })
      const entry = { subjectId: values.id, subject: values.name, now: needs.now() }
      if (issued) await recordAudit(tx, { ...actorOf(request), action: 'key_created', ...entry })
      return issued
    })
    if (!made) return reply.redirect(`${PATH}?feito=chave-ja-criada`, 303)
    return show(request, reply, 'keys/shown', {
      title: words.titles.created,
      section: 'chaves',
      name: values.name,
      scopes: scopesText(values.scopes),
      key: made.key,
      curl: curlFor(needs.baseUrl, made.key, values.scopes),
      old: null,
    })
  })

  app.get<KeyById>('/chaves/:id/revogar', owners, async (request, reply) => {
    const key = await findOwnKey(needs, request)
    if (isOver(key, needs.now())) throw over()
    const { question, used, unused, refused, forEver, button } = words.revoke
    const { lastUsedAt } = key
    const last = lastUsedAt ? used(agoOf(lastUsedAt, needs.now()).text) : unused
    return show(request, reply, 'confirm', {
      ...{ title: words.titles.revoke, section: 'chaves', isDangerous: true },
      ...{ question: question(key.name, key.lastFour), consequences: [last, refused, forEver] },
      ...{ action: `${PATH}/${key.id}/revogar`, button, back: PATH },
    })
  })

  app.post<KeyById>('/chaves/:id/revogar', owners, async (request, reply) => {
    const { id, companyId, name } = await findOwnKey(needs, request)
    if (await revokeApiKey(db, id, needs.now(), companyId)) {
      const entry = { subjectId: id, subject: name, now: needs.now() }
      await recordAudit(db, { ...actorOf(request), action: 'key_revoked', ...entry })
    }
    return reply.redirect(`${PATH}?feito=chave-revogada`, 303)
  })

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    form: KeyForm,
    errors: Problem[] = [],
  ) {
    const { titles } = words
    const parts = { title: titles.create, section: 'chaves', choices: SCOPE_CHOICES } as const
    return show(request, reply, 'keys/form', { ...parts, form, errors })
  }
}

/** Of another company it is not found. */
export async function findOwnKey(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<KeyById>,
): Promise<ListedKey> {
  const key = await findApiKey(db, visitor.company.id, params.id)
  if (!key) throw notFound(apiKeyTexts.notFound)
  return key
}

/** For a page that asks about a key which is no longer there to be asked about. */
export function over() {
  return new AppError(409, 'not_rollable', apiKeyTexts.notRollable)
}
