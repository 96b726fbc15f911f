// API keys as their pages show them, and the form of a new one.

import type { ListedApiKey } from '../../api/api-key.ts'
import { MAX_ALLOWED_NETWORKS } from '../../api/key-networks.ts'
import { RESOURCES, SCOPES, type Scope } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { formatDay, formatTime } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { NETWORK_SEPARATORS, parseNetwork } from '../../http/ip.ts'
import { textField } from '../../http/text.ts'
import { buildCreateLinkCurl } from '../layout/curl.ts'
import type { FormResult } from '../layout/forms/form.ts'
import type { FormError } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toTimeView } from '../layout/values/time.ts'
import { apiKeyPageTexts } from './texts.ts'

/** Of what was typed and is none. */
const MAX_SHOWN_LENGTH = 50
const KeyName = textField({ max: 64 })

const words = apiKeyPageTexts

export function toKeyRow(key: ListedApiKey, now: Date) {
  return {
    name: key.name,
    mask: `sk_live_••••${key.lastFour}`,
    scopes: formatScopes(key.scopes),
    networks: key.allowedNetworks && words.onlyFrom(key.allowedNetworks.join(', ')),
    restrict: isKeyEnded(key, now) ? null : `${API_KEYS_PATH}/${key.id}/enderecos`,
    created: toTimeView(key.createdAt, now),
    used: key.lastUsedAt ? toTimeView(key.lastUsedAt, now) : null,
    status: toKeyBadge(key, now),
    roll: isKeyActive(key) ? `${API_KEYS_PATH}/${key.id}/trocar` : null,
    revoke: isKeyEnded(key, now) ? null : `${API_KEYS_PATH}/${key.id}/revogar`,
  }
}

/** Neither revoked nor being replaced. */
export function isKeyActive({ revokedAt, expiresAt }: ListedApiKey) {
  return revokedAt === null && expiresAt === null
}

export function isKeyEnded({ revokedAt, expiresAt }: ListedApiKey, now: Date) {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now.toISOString())
}

function toKeyBadge(key: ListedApiKey, now: Date): Badge {
  const { states } = words
  const { expiresAt } = key
  if (key.revokedAt) return { tone: 'neutral', text: states.revoked }
  if (isKeyEnded(key, now)) return { tone: 'neutral', text: states.replaced }
  if (expiresAt === null) return { tone: 'good', text: states.active }
  return { tone: 'waiting', text: formatKeyExpiry(expiresAt) }
}

export function formatKeyExpiry(iso: string) {
  return words.states.until(formatDay(iso), formatTime(iso))
}

function formatScopes(scopes: Scope[] | null) {
  return scopes === null ? words.all : scopes.map((scope) => words.scopes[scope]).join(', ')
}

type CreatedKey = { name: string; key: string; scopes: Scope[] | null }
/** `until` is null for one that works no more. */
type ReplacedKey = { last4: string; until: string | null }

/** @param old The key in whose place the new one stands. */
export function toCreatedKey(
  { name, key, scopes }: CreatedKey,
  baseUrl: string,
  old: ReplacedKey | null = null,
) {
  const curl = buildKeyCurl(baseUrl, key, scopes)
  return { name, key, old, scopes: formatScopes(scopes), curl }
}

/** Something that a key of these scopes may do, to be pasted into a terminal. */
export function buildKeyCurl(baseUrl: string, key: string, scopes: Scope[] | null) {
  if (scopes === null || scopes.includes('payment-links')) return buildCreateLinkCurl(baseUrl, key)
  const seen = RESOURCES.find(
    (resource) => scopes.includes(resource) || scopes.includes(`${resource}:read`),
  )
  return `curl ${baseUrl}/api/${seen ?? 'payment-links'} \\\n  -H 'Authorization: Bearer ${key}'`
}

export type KeyForm = {
  /** Of the key that it makes: sent twice, the form makes one. */
  id: string
  name: string
  access: 'all' | 'chosen'
  scopes: Scope[]
  networks: string
}

export function createBlankKeyForm(): KeyForm {
  return { id: newId(), name: '', access: 'all', scopes: [], networks: '' }
}

export function readKeyForm(body: unknown): KeyForm {
  const { id, name, access, scopes, networks } = toRecord(body)
  const chosen = [scopes].flat()
  return {
    id: typeof id === 'string' && isUuid(id) ? id : newId(),
    name: typeof name === 'string' ? name : '',
    access: access === 'chosen' ? 'chosen' : 'all',
    scopes: SCOPES.filter((scope) => chosen.includes(scope)),
    networks: typeof networks === 'string' ? networks : '',
  }
}

export function parseKeyForm({ id, name, access, scopes, networks }: KeyForm) {
  const read = KeyName.safeParse(name)
  const limited = parseNetworks(networks)
  const errors: FormError[] = []
  const nameError = read.data === '' ? words.name : read.error?.issues[0]?.message
  if (nameError) errors.push({ field: 'name', message: nameError })
  if (access === 'chosen' && scopes.length === 0) {
    errors.push({ field: 'scopes', message: words.noScope })
  }
  if (limited.kind === 'invalid') errors.push(...limited.errors)
  if (read.data === undefined || limited.kind === 'invalid' || errors.length > 0) {
    return { kind: 'invalid', errors } as const
  }
  const values = {
    id,
    name: read.data,
    scopes: access === 'all' ? null : removeRedundantScopes(scopes),
    ...limited.values,
  }
  return { kind: 'valid', values } as const
}

/** One to a line, or with commas or blanks between; none, and so null, is anywhere. */
export function parseNetworks(typed: string): FormResult<{ allowedNetworks: string[] | null }> {
  const parts = typed.split(NETWORK_SEPARATORS).filter((part) => part !== '')
  const wrong = parts.find((part) => parseNetwork(part) === undefined)
  if (wrong !== undefined) {
    return refuseNetworks(words.network(wrong.slice(0, MAX_SHOWN_LENGTH)))
  }
  const networks = [...new Set(parts.map(parseNetwork).filter((one) => one !== undefined))]
  if (networks.length > MAX_ALLOWED_NETWORKS) {
    return refuseNetworks(words.tooManyNetworks(MAX_ALLOWED_NETWORKS))
  }
  return { kind: 'valid', values: { allowedNetworks: networks.length > 0 ? networks : null } }
}

function refuseNetworks(message: string) {
  return { kind: 'invalid' as const, errors: [{ field: 'networks', message }] }
}

/** What another of them allows already is left out. */
function removeRedundantScopes(scopes: Scope[]) {
  return scopes.filter((scope) => {
    const [resource, reading] = scope.split(':')
    return !reading || !scopes.some((other) => other === 'read' || other === resource)
  })
}

/** Each resource with what there is to allow on it, after what concerns all of them. */
export const SCOPE_CHOICES = [
  'read' as const,
  ...RESOURCES.flatMap((resource) => [`${resource}:read` as const, resource]),
].map((value) => ({ value, text: words.scopes[value] }))
