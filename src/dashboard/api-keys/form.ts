// The form of a new API key, the list of addresses that a key is limited to, and keys as their pages show them.

import type { ListedApiKey } from '../../api/api-key.ts'
import { MAX_ALLOWED_NETWORKS } from '../../api/api-key.ts'
import { RESOURCES, SCOPES, type Scope } from '../../database/enums.ts'
import { formatDayAndTime } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { NETWORK_SEPARATORS, parseNetwork } from '../../http/ip.ts'
import { textField } from '../../http/text.ts'
import type { Badge } from '../../http/view-functions.ts'
import { type FormResult, readFormId, readTypedFields } from '../layout/form.ts'
import type { FormError } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { buildCreateLinkCurl } from '../layout/values.ts'
import { apiKeyPageTexts as words } from './texts.ts'

const MAX_SHOWN_LENGTH = 50
const KeyName = textField({ max: 64 })

/** The choices: first those for all resources, then those for each resource. */
export const SCOPE_CHOICES = [
  'read' as const,
  ...RESOURCES.flatMap((resource) => [`${resource}:read` as const, resource]),
].map((value) => ({ value, text: words.scopes[value] }))

export type KeyForm = ReturnType<typeof readKeyForm>

export function readKeyForm(body: unknown) {
  const { name = '', access = 'all', networks = '' } = readTypedFields(body)
  const chosen = [toRecord(body).scopes].flat()
  return {
    id: readFormId(body),
    name,
    access,
    scopes: SCOPES.filter((scope) => chosen.includes(scope)),
    networks,
  }
}

export type WantedKey = {
  id: string
  name: string
  scopes: Scope[] | null
  allowedNetworks: string[] | null
}

export function parseKeyForm(form: KeyForm): FormResult<WantedKey> {
  const { id, name, access, scopes, networks } = form
  const read = KeyName.safeParse(name)
  const limited = parseNetworks(networks)
  const isLimited = access === 'chosen'
  const errors: FormError[] = []
  const nameError = read.data === '' ? words.name : read.error?.issues[0]?.message
  if (nameError) errors.push({ field: 'name', message: nameError })
  if (isLimited && scopes.length === 0) errors.push({ field: 'scopes', message: words.noScope })
  if (limited.kind === 'invalid') errors.push(...limited.errors)
  if (read.data === undefined || limited.kind === 'invalid' || errors.length > 0) {
    return { kind: 'invalid', errors }
  }
  const allowed = isLimited ? removeRedundantScopes(scopes) : null
  return { kind: 'valid', values: { id, name: read.data, scopes: allowed, ...limited.values } }
}

/** Parses networks, separated by lines, commas or blanks; an empty text means all addresses (null). */
export function parseNetworks(typed: string): FormResult<{ allowedNetworks: string[] | null }> {
  const parts = typed.split(NETWORK_SEPARATORS).filter((part) => part !== '')
  const wrong = parts.find((part) => parseNetwork(part) === undefined)
  const networks = new Set(parts.flatMap((part) => parseNetwork(part) ?? []))
  const isTooMany = networks.size > MAX_ALLOWED_NETWORKS
  if (wrong === undefined && !isTooMany)
    return { kind: 'valid', values: { allowedNetworks: networks.size > 0 ? [...networks] : null } }
  const message =
    wrong === undefined
      ? words.tooManyNetworks(MAX_ALLOWED_NETWORKS)
      : words.network(wrong.slice(0, MAX_SHOWN_LENGTH))
  return { kind: 'invalid', errors: [{ field: 'networks', message }] }
}

/** Removes scopes that another chosen scope includes. */
function removeRedundantScopes(scopes: Scope[]) {
  return scopes.filter((scope) => {
    const [resource, reading] = scope.split(':')
    return !reading || !scopes.some((other) => other === 'read' || other === resource)
  })
}

export function toKeyRow(key: ListedApiKey, now: Date) {
  const { id, scopes, allowedNetworks } = key
  const isEnded = isKeyEnded(key, now)
  return {
    ...key,
    scopeNames: formatScopes(scopes),
    networks: allowedNetworks && words.onlyFrom(allowedNetworks.join(', ')),
    badge: toKeyBadge(key, isEnded),
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
  return words.states.until(formatDayAndTime(iso))
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
