// `/painel/chaves/:id/trocar`: a new key in an old one's place, which works on for as long as is chosen.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ListedApiKey, rollApiKey } from '../../api/api-key.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { findRequestedKey, keyEndedError } from './list.ts'
import { apiKeyPageTexts } from './texts.ts'
import { formatKeyExpiry, isKeyActive, toCreatedKey, toKeyRow } from './view.ts'

const API_KEYS_STEP_UP = requireRight('apiKeys', STEP_UP)

const { overlaps, overlap, titles } = apiKeyPageTexts
const DEFAULT_OVERLAP = '24'
const OVERLAP_OPTIONS = Object.entries(overlaps).map(([value, text]) => ({ value, text }))

export async function keyRollPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get<ById>('/chaves/:id/trocar', API_KEYS_STEP_UP, async (request, reply) => {
    const key = await findRequestedKey(needs, request)
    if (!isKeyActive(key)) throw keyEndedError()
    return showRollForm(request, reply, key)
  })

  app.post<ById>('/chaves/:id/trocar', API_KEYS_STEP_UP, async (request, reply) => {
    const { db } = needs
    const key = await findRequestedKey(needs, request)
    // Sent twice, it finds the key as it left it.
    if (key.expiresAt) return reply.redirect(`${API_KEYS_PATH}?feito=chave-ja-trocada`, 303)
    const { hours } = toRecord(request.body)
    if (typeof hours !== 'string' || !Object.hasOwn(overlaps, hours)) {
      return showRollForm(request, reply, key, { errors: [{ field: 'hours', message: overlap }] })
    }
    const { id, companyId, name } = key
    const now = needs.now()
    const until = new Date(now.getTime() + Number(hours) * HOUR_MS)
    const rolled = await rollApiKey(db, { companyId, id, until, now })
    const details = { until: until.toISOString() }
    const { testMode } = request.visitor.company
    const entry = { subjectId: id, subject: name, details, testMode, now }
    const by = getAuditActor(request)
    await recordSecurityChange(db, needs.mail, { ...by, action: 'key_rolled', ...entry })
    const old = {
      last4: key.lastFour,
      until: hours === '0' ? null : formatKeyExpiry(until.toISOString()),
    }
    return show(request, reply, 'dashboard/api-keys/created', {
      ...{ title: titles.created, section: 'chaves' },
      ...toCreatedKey(rolled, needs.baseUrl, old),
    })
  })

  async function showRollForm(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ListedApiKey,
    { hours = DEFAULT_OVERLAP, errors = [] }: { hours?: string; errors?: FormError[] } = {},
  ) {
    return show(request, reply, 'dashboard/api-keys/roll', {
      ...{ title: titles.roll, section: 'chaves', errors },
      key: { ...toKeyRow(key, needs.now()), id: key.id },
      hours,
      options: OVERLAP_OPTIONS,
    })
  }
}
