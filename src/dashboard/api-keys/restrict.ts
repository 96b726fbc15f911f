// `/painel/chaves/:id/enderecos`: from where a key may be used, from its next request on.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ListedApiKey } from '../../api/api-key.ts'
import { restrictApiKey } from '../../api/key-networks.ts'
import type { Transaction } from '../../database/connect.ts'
import { unmapAddress } from '../../http/ip.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { buildFormVersion, saveVersionedForm } from '../layout/forms/versioned.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { findRequestedKey, keyEndedError } from './list.ts'
import { apiKeyPageTexts } from './texts.ts'
import { isKeyEnded, parseNetworks, toKeyRow } from './view.ts'

const API_KEYS_STEP_UP = requireRight('apiKeys', STEP_UP)

type RestrictFormState = { typed: string; errors?: FormError[]; conflicts?: FieldConflict[] }

export async function keyRestrictPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get<ById>('/chaves/:id/enderecos', API_KEYS_STEP_UP, async (request, reply) => {
    const key = await findRequestedKey(needs, request)
    if (isKeyEnded(key, needs.now())) throw keyEndedError()
    return showRestrictForm(request, reply, key, { typed: key.allowedNetworks?.join('\n') ?? '' })
  })

  app.post<ById>('/chaves/:id/enderecos', API_KEYS_STEP_UP, async (request, reply) => {
    const key = await findRequestedKey(needs, request)
    const { networks: typed = '' } = readTypedFields(request.body)
    const read = parseNetworks(typed)
    if (read.kind === 'invalid') {
      const errors = [{ field: 'networks', message: read.message }]
      return showRestrictForm(request, reply, key, { typed, errors })
    }
    const { networks: allowedNetworks } = read
    const result = await saveNetworks(needs, request, { allowedNetworks })
    if (result.kind === 'conflict')
      return showRestrictForm(request, reply, key, { typed, ...result })
    return reply.redirect(`${API_KEYS_PATH}?feito=chave-limitada`, 303)
  })

  async function showRestrictForm(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ListedApiKey,
    { typed, errors = [], conflicts }: RestrictFormState,
  ) {
    const { name, mask } = toKeyRow(key, needs.now())
    return show(request, reply, 'dashboard/api-keys/restrict', {
      ...{ title: apiKeyPageTexts.titles.restrict, section: 'chaves', errors },
      version: buildFormVersion(request, toNetworkValues(key), conflicts),
      key: { id: key.id, name, mask },
      networks: typed,
      ownAddress: unmapAddress(request.ip),
    })
  }
}

type NetworkValues = Pick<ListedApiKey, 'allowedNetworks'>

function saveNetworks(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  { allowedNetworks }: NetworkValues,
) {
  return saveVersionedForm(needs, request, {
    find: () => findRequestedKey(needs, request),
    ...{ toValues: toNetworkValues, describe: describeNetworks, typed: { allowedNetworks } },
    labels: { allowedNetworks: apiKeyPageTexts.titles.restrict },
    audited: { action: 'key_restricted', subjectId: request.params.id },
    save: (before) =>
      needs.db.transaction((tx) => restrictKey(tx, needs, request, { before, allowedNetworks })),
  })
}

async function restrictKey(
  tx: Transaction,
  { mail, now }: DashboardNeeds,
  request: FastifyRequest,
  { before, allowedNetworks }: NetworkValues & { before: ListedApiKey },
) {
  const { id, companyId, name: subject, allowedNetworks: known } = before
  if (isKeyEnded(before, now())) throw keyEndedError()
  const { kind } = await restrictApiKey(tx, { id, companyId, allowedNetworks, before: known })
  if (kind === 'notActive') return undefined
  const details = { allowedNetworks: allowedNetworks?.join(', ') ?? '' }
  const { testMode } = request.visitor.company
  const entry = { subjectId: id, subject, details, testMode, now: now() }
  const by = getAuditActor(request)
  await recordSecurityChange(tx, mail, { ...by, action: 'key_restricted', ...entry })
  return { kind: 'saved' } as const
}

function toNetworkValues({ allowedNetworks }: NetworkValues): NetworkValues {
  return { allowedNetworks }
}

function describeNetworks({ allowedNetworks }: NetworkValues) {
  return { allowedNetworks: allowedNetworks?.join(', ') ?? apiKeyPageTexts.anywhere }
}
