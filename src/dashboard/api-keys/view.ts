// API keys as their pages show them, and the form of a new one.

import type { ListedKey } from '../../api/api-key.ts'
import { RESOURCES, SCOPES, type Scope } from '../../database/enums.ts'
import { isId, newId } from '../../database/id.ts'
import { formatDay, formatTime } from '../../format.ts'
import { text } from '../../http/text.ts'
import { curlOf } from '../layout/curl.ts'
import { momentOf, type Problem } from '../layout/page.ts'
import { agoOf } from '../layout/relative-time.ts'
import { apiKeyPageTexts } from './texts.ts'

const PATH = '/painel/chaves'
const NAME = text({ max: 64 })

const words = apiKeyPageTexts

export function keyRow(key: ListedKey, now: Date) {
  return {
    name: key.name,
    mask: `sk_live_••••${key.lastFour}`,
    scopes: scopesText(key.scopes),
    created: momentOf(key.createdAt),
    used: key.lastUsedAt && agoOf(key.lastUsedAt, now),
    status: badgeOf(key, now),
    roll: isActive(key) ? `${PATH}/${key.id}/trocar` : null,
    revoke: isOver(key, now) ? null : `${PATH}/${key.id}/revogar`,
  }
}

/** Neither revoked nor being replaced. */
export function isActive({ revokedAt, expiresAt }: ListedKey) {
  return revokedAt === null && expiresAt === null
}

export function isOver({ revokedAt, expiresAt }: ListedKey, now: Date) {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now.toISOString())
}

function badgeOf(key: ListedKey, now: Date) {
  const { states } = words
  if (key.revokedAt) return { tone: 'neutral', text: states.revoked }
  if (isOver(key, now)) return { tone: 'neutral', text: states.replaced }
  if (isActive(key)) return { tone: 'good', text: states.active }
  return { tone: 'waiting', text: untilText(key.expiresAt!) }
}

export function untilText(iso: string) {
  return words.states.until(formatDay(iso), formatTime(iso))
}

export function scopesText(scopes: Scope[] | null) {
  return scopes === null ? words.all : scopes.map((scope) => words.scopes[scope]).join(', ')
}

/** Something that a key of these scopes may do, to be pasted into a terminal. */
export function curlFor(baseUrl: string, key: string, scopes: Scope[] | null) {
  if (scopes === null || scopes.includes('payment-links')) return curlOf(baseUrl, key)
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

export function blankKey(): KeyForm {
  return { id: newId(), name: '', access: 'all', scopes: [] }
}

export function typedKey(body: unknown): KeyForm {
  const { id, name, access, scopes } = (body ?? {}) as Record<string, unknown>
  const chosen = [scopes].flat()
  return {
    id: typeof id === 'string' && isId(id) ? id : newId(),
    name: typeof name === 'string' ? name : '',
    access: access === 'chosen' ? 'chosen' : 'all',
    scopes: SCOPES.filter((scope) => chosen.includes(scope)),
  }
}

export function readKey({ id, name, access, scopes }: KeyForm) {
  const read = NAME.safeParse(name)
  const problems: [field: string, message: string | undefined][] = [
    ['name', read.data === '' ? words.name : read.error?.issues[0]?.message],
    ['scopes', access === 'chosen' && scopes.length === 0 ? words.noScope : undefined],
  ]
  const errors: Problem[] = problems.flatMap(([field, message]) =>
    message ? [{ field, message }] : [],
  )
  if (read.data === undefined || errors.length > 0) return { values: null, errors }
  const values = { id, name: read.data, scopes: access === 'all' ? null : withoutDoubles(scopes) }
  return { values, errors: null }
}

/** What another of them allows already is left out. */
function withoutDoubles(scopes: Scope[]) {
  return scopes.filter((scope) => {
    const [resource, reading] = scope.split(':') as [Scope, string?]
    return !reading || !(scopes.includes('read') || scopes.includes(resource))
  })
}

/** Each resource with what there is to allow on it, after what concerns all of them. */
export const SCOPE_CHOICES = [
  'read' as const,
  ...RESOURCES.flatMap((resource) => [`${resource}:read` as const, resource]),
].map((value) => ({ value, text: words.scopes[value] }))
