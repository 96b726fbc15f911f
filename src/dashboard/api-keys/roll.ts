// `/painel/chaves/:id/trocar`: a new key in an old one's place, which works on for as long as is chosen.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ListedKey, rollApiKey } from '../../api/api-key.ts'
import { recordAudit } from '../../companies/audit.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { findOwnKey, type KeyById, over } from './list.ts'
import { apiKeyPageTexts } from './texts.ts'
import { curlFor, isActive, keyRow, scopesText, untilText } from './view.ts'

const HOUR_MS = 3_600_000
const { overlaps, overlap, titles } = apiKeyPageTexts
const DEFAULT_HOURS = '24'
const OPTIONS = Object.entries(overlaps).map(([value, text]) => ({ value, text }))

const owners = { config: { owners: true } }

export async function keyRollPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = pagesOf(app, needs)

  app.get<KeyById>('/chaves/:id/trocar', owners, async (request, reply) => {
    const key = await findOwnKey(needs, request)
    if (!isActive(key)) throw over()
    return ask(request, reply, key)
  })

  app.post<KeyById>('/chaves/:id/trocar', owners, async (request, reply) => {
    const { db } = needs
    const key = await findOwnKey(needs, request)
    // Sent twice, it finds the key as it left it.
    if (key.expiresAt) return reply.redirect('/painel/chaves?feito=chave-ja-trocada', 303)
    const { hours } = (request.body ?? {}) as Record<string, unknown>
    if (typeof hours !== 'string' || !Object.hasOwn(overlaps, hours)) {
      return ask(request, reply, key, [{ field: 'hours', message: overlap }])
    }
    const { id, companyId, name } = key
    const now = needs.now()
    const until = new Date(now.getTime() + Number(hours) * HOUR_MS)
    const rolled = await rollApiKey(db, { companyId, id, until, now })
    const details = { until: until.toISOString() }
    const entry = { subjectId: id, subject: name, details, now }
    await recordAudit(db, { ...actorOf(request), action: 'key_rolled', ...entry })
    return show(request, reply, 'keys/shown', {
      ...{ title: titles.created, section: 'chaves', name, key: rolled.key },
      scopes: scopesText(rolled.scopes),
      curl: curlFor(needs.baseUrl, rolled.key, rolled.scopes),
      old: { last4: key.lastFour, until: hours === '0' ? null : untilText(until.toISOString()) },
    })
  })

  async function ask(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ListedKey,
    errors: Problem[] = [],
  ) {
    return show(request, reply, 'keys/roll', {
      ...{ title: titles.roll, section: 'chaves', errors },
      key: { ...keyRow(key, needs.now()), id: key.id },
      hours: DEFAULT_HOURS,
      options: OPTIONS,
    })
  }
}
