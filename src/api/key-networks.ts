// Limits a key to networks, so that a leaked key is useless elsewhere.
import type { Db } from '../database/connect.ts'
import { and, eq, isNull } from '../database/drizzle.ts'
import { isUuid } from '../database/id.ts'
import { apiKeys } from '../database/tables.ts'
import { buildApiKeyCondition } from './api-key.ts'

export const MAX_ALLOWED_NETWORKS = 20

type RestrictApiKeyInput = {
  id: string
  allowedNetworks: string[] | null
  companyId?: string
  /** The networks that the caller saw last; when absent, they are not compared. */
  before?: string[] | null
}

/**
 * Accepts the key from these networks only, or from anywhere (null), from its next request on, in every process.
 * Changes nothing when the key has ended or its networks differ from `before`. @param companyId see findApiKey
 */
export async function restrictApiKey(
  db: Db,
  { id, allowedNetworks, companyId, before }: RestrictApiKeyInput,
): Promise<{ kind: 'restricted' } | { kind: 'notActive' }> {
  if (!isUuid(id)) return { kind: 'notActive' }
  const restricted = await db
    .update(apiKeys)
    .set({ allowedNetworks })
    .where(
      and(
        buildApiKeyCondition(id, companyId),
        isNull(apiKeys.revokedAt),
        before === undefined ? undefined : buildNetworksCondition(before),
      ),
    )
    .returning({ id: apiKeys.id })
  return { kind: restricted.length > 0 ? 'restricted' : 'notActive' }
}

function buildNetworksCondition(networks: string[] | null) {
  const { allowedNetworks } = apiKeys
  return networks === null ? isNull(allowedNetworks) : eq(allowedNetworks, networks)
}
