// API keys as their pages show them, and the form of a new one.

import type { ListedApiKey } from '../../api/api-key.ts'
import { RESOURCES, SCOPES, type Scope } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { formatDay, formatTime } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import type { Badge } from '../layout/badge.ts'
import { buildCreateLinkCurl } from '../layout/curl.ts'
import { type FormError, toTimeView } from '../layout/page.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { toRelativeTimeView } from '../layout/relative-time.ts'
import { apiKeyPageTexts } from './texts.ts'

const KeyName = textField({ max: 64 })

const words = apiKeyPageTexts

export function toKeyRow(key: ListedApiKey, now: Date) {
  return {
    name: key.name,
    mask: `sk_live_••••${key.lastFour}`,
    scopes: formatScopes(key.scopes),
    created: toTimeView(key.createdAt),
    used: key.lastUsedAt ? toRelativeTimeView(key.lastUsedAt, now) : null,
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

export function formatScopes(scopes: Scope[] | null) {
  return scopes === null ? words.all : scopes.map((scope) => words.scopes[scope]).join(', ')
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
}

export function createBlankKeyForm(): KeyForm {
  return { id: newId(), name: '', access: 'all', scopes: [] }
}

export function readKeyForm(body: unknown): KeyForm {
  const { id, name, access, scopes } = toRecord(body)
  const chosen = [scopes].flat()
  return {
    id: typeof id === 'string' && isUuid(id) ? id : newId(),
    name: typeof name === 'string' ? name : '',
    access: access === 'chosen' ? 'chosen' : 'all',
    scopes: SCOPES.filter((scope) => chosen.includes(scope)),
  }
}

export function parseKeyForm({ id, name, access, scopes }: KeyForm) {
  const read = KeyName.safeParse(name)
  const problems: [field: string, message: string | undefined][] = [
    ['name', read.data === '' ? words.name : read.error?.issues[0]?.message],
    ['scopes', access === 'chosen' && scopes.length === 0 ? words.noScope : undefined],
  ]
  const errors: FormError[] = problems.flatMap(([field, message]) =>
    message ? [{ field, message }] : [],
  )
  if (read.data === undefined || errors.length > 0) return { kind: 'invalid', errors } as const
  const values = {
    id,
    name: read.data,
    scopes: access === 'all' ? null : removeRedundantScopes(scopes),
  }
  return { kind: 'valid', values } as const
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
