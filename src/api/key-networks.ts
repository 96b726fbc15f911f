// Limits a key to networks, so that a leaked key is of no use elsewhere.
import type { Db } from '../database/connect.ts'
import { and, eq, isNull } from '../database/drizzle.ts'
import { isUuid } from '../database/id.ts'
import { apiKeys } from '../database/tables.ts'
import { buildApiKeyCondition } from './api-key.ts'

/** The most networks that a key may be limited to. */
export const MAX_ALLOWED_NETWORKS = 20

type RestrictApiKeyInput = {
  id: string
  allowedNetworks: string[] | null
  companyId?: string
  /** The key's networks as the caller last saw them; without it, they are not compared. */
  before?: string[] | null
}

/**
 * From now on only requests from these networks are answered, or from anywhere; at the key's next request,
 * on every process. Of a key that is over, or not as `before` has it, nothing changes.
 * @param companyId As for findApiKey.
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
