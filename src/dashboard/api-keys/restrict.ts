// `/painel/chaves/:id/enderecos`: from where a key may be used, from its next request on.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ListedApiKey } from '../../api/api-key.ts'
import { restrictApiKey } from '../../api/key-networks.ts'
import type { Transaction } from '../../database/connect.ts'
import { unmapAddress } from '../../http/ip.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { registerForm } from '../layout/forms/register.ts'
import { saveVersionedForm } from '../layout/forms/versioned.ts'
import { type ById, type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { findLiveKey, findRequestedKey, keyEndedError } from './list.ts'
import { apiKeyPageTexts } from './texts.ts'
import { isKeyEnded, parseNetworks, toKeyRow } from './view.ts'

export async function keyRestrictPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  registerForm(app, '/chaves/:id/enderecos', {
    right: 'apiKeys',
    stepUp: true,
    load: (request) => findLiveKey(needs, request),
    toValues: toNetworkValues,
    toForm: ({ allowedNetworks }) => ({ networks: allowedNetworks?.join('\n') ?? '' }),
    readForm: ({ body }) => ({ networks: readTypedFields(body).networks ?? '' }),
    async save(request, _key, { networks }) {
      const read = parseNetworks(networks)
      return read.kind === 'invalid' ? read : saveNetworks(needs, request, read.values)
    },
    view: (request, reply, shown, key) => {
      const { name, mask } = toKeyRow(key, needs.now())
      return show(request, reply, 'dashboard/api-keys/restrict', {
        ...{ title: apiKeyPageTexts.titles.restrict, section: 'chaves', ...shown },
        key: { id: key.id, name, mask },
        ownAddress: unmapAddress(request.ip),
      })
    },
    done: `${API_KEYS_PATH}?feito=chave-limitada`,
  })
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
