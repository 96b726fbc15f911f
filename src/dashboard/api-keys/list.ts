// `/painel/chaves`: the company's API keys: made, and shown on the very answer that made them; revoked.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  apiKeyTexts,
  findApiKey,
  issueApiKeyOnce,
  type ListedApiKey,
  listApiKeyPage,
  revokeApiKey,
} from '../../api/api-key.ts'
import { recordAudit } from '../../companies/audit.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { paginateRows } from '../../http/pagination.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { sectionTitles } from '../layout/texts.ts'
import { toTimeView } from '../layout/values/time.ts'
import { apiKeyPageTexts } from './texts.ts'
import {
  createBlankKeyForm,
  isKeyEnded,
  type KeyForm,
  parseKeyForm,
  readKeyForm,
  SCOPE_CHOICES,
  toCreatedKey,
  toKeyRow,
} from './view.ts'

const words = apiKeyPageTexts
const API_KEYS = requireRight('apiKeys')
const API_KEYS_STEP_UP = requireRight('apiKeys', STEP_UP)

export async function keyPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/chaves', API_KEYS, async (request, reply) => {
    const query = readPageQuery(request)
    const rows = await listApiKeyPage(db, request.visitor.company.id, query)
    const { data, nextCursor } = paginateRows(rows, query.limit)
    return show(request, reply, 'dashboard/api-keys/list', {
      title: sectionTitles.chaves,
      section: 'chaves',
      keys: data.map((key) => toKeyRow(key, needs.now())),
      pager: buildPager(request, nextCursor),
    })
  })

  app.get('/chaves/nova', API_KEYS_STEP_UP, (request, reply) =>
    showKeyForm(request, reply, createBlankKeyForm()),
  )

  app.post('/chaves/nova', API_KEYS_STEP_UP, async (request, reply) => {
    const form = readKeyForm(request.body)
    const read = parseKeyForm(form)
    if (read.kind === 'invalid') return showKeyForm(request, reply, form, read.errors)
    const { values } = read
    const { id: companyId, testMode } = request.visitor.company
    const made = await db.transaction(async (tx) => {
      const issued = await issueApiKeyOnce(tx, { ...values, companyId })
      const entry = { subjectId: values.id, subject: values.name, testMode, now: needs.now() }
      if (issued.kind === 'issued') {
        const by = getAuditActor(request)
        await recordSecurityChange(tx, needs.mail, { ...by, action: 'key_created', ...entry })
      }
      return issued
    })
    if (made.kind === 'existing')
      return reply.redirect(`${API_KEYS_PATH}?feito=chave-ja-criada`, 303)
    return show(request, reply, 'dashboard/api-keys/created', {
      ...{ title: words.titles.created, section: 'chaves' },
      ...toCreatedKey({ ...values, key: made.key }, needs.baseUrl),
    })
  })

  app.get<ById>('/chaves/:id/revogar', API_KEYS_STEP_UP, async (request, reply) => {
    const key = await findLiveKey(needs, request)
    const { question, used, unused, refused, forEver, button } = words.revoke
    const { lastUsedAt } = key
    const last = lastUsedAt ? used(toTimeView(lastUsedAt, needs.now()).text) : unused
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.revoke, section: 'chaves', isDangerous: true },
      ...{ question: question(key.name, key.lastFour), consequences: [last, refused, forEver] },
      ...{ action: `${API_KEYS_PATH}/${key.id}/revogar`, button, back: API_KEYS_PATH },
    })
  })

  app.post<ById>('/chaves/:id/revogar', API_KEYS_STEP_UP, async (request, reply) => {
    const { id, companyId, name } = await findRequestedKey(needs, request)
    const { kind } = await revokeApiKey(db, id, needs.now(), companyId)
    if (kind === 'revoked') {
      const entry = { subjectId: id, subject: name, now: needs.now() }
      await recordAudit(db, { ...getAuditActor(request), action: 'key_revoked', ...entry })
    }
    return reply.redirect(`${API_KEYS_PATH}?feito=chave-revogada`, 303)
  })

  async function showKeyForm(
    request: FastifyRequest,
    reply: FastifyReply,
    form: KeyForm,
    errors: FormError[] = [],
  ) {
    const { titles } = words
    const parts = { title: titles.create, section: 'chaves', choices: SCOPE_CHOICES } as const
    return show(request, reply, 'dashboard/api-keys/form', { ...parts, form, errors })
  }
}

/** Of another company it is not found. */
export async function findRequestedKey(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<ById>,
): Promise<ListedApiKey> {
  const key = await findApiKey(db, visitor.company.id, params.id)
  if (!key) throw notFoundError(apiKeyTexts.notFound)
  return key
}

/** Throws 409 where it is over. */
export async function findLiveKey(needs: DashboardNeeds, request: FastifyRequest<ById>) {
  const key = await findRequestedKey(needs, request)
  if (isKeyEnded(key, needs.now())) throw keyEndedError()
  return key
}

/** For a page that asks about a key which is no longer there to be asked about. */
export function keyEndedError() {
  return new AppError(409, 'not_rollable', apiKeyTexts.notRollable)
}
