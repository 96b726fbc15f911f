// API keys as their pages show them.

import type { ListedApiKey } from '../../api/api-key.ts'
import { RESOURCES, type Scope } from '../../database/enums.ts'
import { formatDay, formatTime } from '../../format.ts'
import { buildCreateLinkCurl } from '../layout/curl.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toTimeView } from '../layout/values/time.ts'
import { apiKeyPageTexts as words } from './texts.ts'

export function toKeyRow(key: ListedApiKey, now: Date) {
  const { id, name, lastFour, scopes, allowedNetworks, createdAt, lastUsedAt } = key
  const isEnded = isKeyEnded(key, now)
  return {
    id,
    name,
    mask: `sk_live_••••${lastFour}`,
    scopes: formatScopes(scopes),
    networks: allowedNetworks && words.onlyFrom(allowedNetworks.join(', ')),
    created: toTimeView(createdAt, now),
    used: lastUsedAt ? toTimeView(lastUsedAt, now) : null,
    status: toKeyBadge(key, isEnded),
    restrict: isEnded ? null : `${API_KEYS_PATH}/${id}/enderecos`,
    roll: isKeyActive(key) ? `${API_KEYS_PATH}/${id}/trocar` : null,
    revoke: isEnded ? null : `${API_KEYS_PATH}/${id}/revogar`,
  }
}

/** Neither revoked nor being replaced. */
export function isKeyActive({ revokedAt, expiresAt }: ListedApiKey) {
  return revokedAt === null && expiresAt === null
}

export function isKeyEnded({ revokedAt, expiresAt }: ListedApiKey, now: Date) {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now.toISOString())
}

function toKeyBadge({ revokedAt, expiresAt }: ListedApiKey, isEnded: boolean): Badge {
  const { states } = words
  if (revokedAt) return { tone: 'neutral', text: states.revoked }
  if (isEnded) return { tone: 'neutral', text: states.replaced }
  if (expiresAt === null) return { tone: 'good', text: states.active }
  return { tone: 'waiting', text: formatKeyExpiry(expiresAt) }
}

export function formatKeyExpiry(iso: string) {
  return words.states.until(formatDay(iso), formatTime(iso))
}

export function formatScopes(scopes: Scope[] | null) {
  return scopes === null ? words.all : scopes.map((scope) => words.scopes[scope]).join(', ')
}

/** Builds a command that a key with these scopes may run, to be pasted into a terminal. */
export function buildKeyCurl(baseUrl: string, key: string, scopes: Scope[] | null) {
  if (scopes === null || scopes.includes('payment-links')) return buildCreateLinkCurl(baseUrl, key)
  const seen = RESOURCES.find(
    (resource) => scopes.includes(resource) || scopes.includes(`${resource}:read`),
  )
  return `curl ${baseUrl}/api/${seen ?? 'payment-links'} \\\n  -H 'Authorization: Bearer ${key}'`
}
