// `/painel/chaves/:id/enderecos`: from where a key may be used, from its next request on.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ListedApiKey } from '../../api/api-key.ts'
import { restrictApiKey } from '../../api/key-networks.ts'
import { unmapAddress } from '../../http/ip.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { recordSecurityChange } from '../layout/security.ts'
import { findRequestedKey, keyEndedError } from './list.ts'
import { apiKeyPageTexts } from './texts.ts'
import { isKeyEnded, parseNetworks, toKeyRow } from './view.ts'

const API_KEYS = requireRight('apiKeys')
const API_KEYS_STEP_UP = requireRight('apiKeys', STEP_UP)

export async function keyRestrictPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, mail } = needs
  const show = createPageRenderer(app, needs)

  app.get<ById>('/chaves/:id/enderecos', API_KEYS, async (request, reply) => {
    const key = await findRequestedKey(needs, request)
    if (isKeyEnded(key, needs.now())) throw keyEndedError()
    return showRestrictForm(request, reply, key, { typed: key.allowedNetworks?.join('\n') ?? '' })
  })

  app.post<ById>('/chaves/:id/enderecos', API_KEYS_STEP_UP, async (request, reply) => {
    const key = await findRequestedKey(needs, request)
    const { networks: typed = '' } = readTypedFields(request.body)
    if (request.isKept) return showRestrictForm(request, reply, key, { typed })
    const read = parseNetworks(typed)
    if (read.kind === 'invalid') {
      const errors = [{ field: 'networks', message: read.message }]
      return showRestrictForm(request, reply, key, { typed, errors })
    }
    const { id, companyId, name } = key
    const { networks } = read
    const { testMode } = request.visitor.company
    const { kind } = await db.transaction(async (tx) => {
      const result = await restrictApiKey(tx, { id, companyId, allowedNetworks: networks })
      if (result.kind === 'restricted') {
        const details = { allowedNetworks: networks?.join(', ') ?? '' }
        const entry = { subjectId: id, subject: name, details, testMode, now: needs.now() }
        const by = getAuditActor(request)
        await recordSecurityChange(tx, mail, { ...by, action: 'key_restricted', ...entry })
      }
      return result
    })
    if (kind === 'notActive') throw keyEndedError()
    return reply.redirect(`${API_KEYS_PATH}?feito=chave-limitada`, 303)
  })

  async function showRestrictForm(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ListedApiKey,
    { typed, errors = [] }: { typed: string; errors?: FormError[] },
  ) {
    const { name, mask } = toKeyRow(key, needs.now())
    return show(request, reply, 'dashboard/api-keys/restrict', {
      ...{ title: apiKeyPageTexts.titles.restrict, section: 'chaves', errors },
      key: { id: key.id, name, mask },
      networks: typed,
      ownAddress: unmapAddress(request.ip),
    })
  }
}
