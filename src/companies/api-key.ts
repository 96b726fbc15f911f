// An API key is shown once and stored as its SHA-256: it carries 190 random bits, so there is nothing
// to guess. Its last six characters are a checksum, so that junk is refused before the database.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { customAlphabet } from 'nanoid'
import type { Database, Db } from '../database/connect.ts'
import { and, asc, eq, isNull, sql } from '../database/drizzle.ts'
import { newId } from '../database/id.ts'
import type { Listener } from '../database/listen.ts'
import { perDatabase } from '../database/per-database.ts'
import { remember } from '../database/remember.ts'
import { apiKeys, companies } from '../database/tables.ts'
import type { Scope } from '../database/words.ts'
import type { Company } from './company.ts'

const PREFIX = 'sk_live_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomPart = customAlphabet(BASE62, RANDOM_LENGTH)
const REMEMBERED = 10_000
const USED_EVERY_MS = 60_000

export type ActiveKey = { id: string; scopes: Scope[] | null; company: Company }

/** The only time that the whole key is seen. */
export async function issueApiKey(
  db: Db,
  companyId: string,
  name: string,
  scopes: Scope[] | null = null,
) {
  const body = PREFIX + randomPart()
  const key = body + checksum(body)
  const id = newId()
  await db
    .insert(apiKeys)
    .values({ id, companyId, name, secretHash: hash(key), lastFour: key.slice(-4), scopes })
  return { id, key }
}

export async function listApiKeys(db: Db, companyId?: string) {
  return db
    .select({
      id: apiKeys.id,
      companyId: apiKeys.companyId,
      name: apiKeys.name,
      lastFour: apiKeys.lastFour,
      scopes: apiKeys.scopes,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(companyId ? eq(apiKeys.companyId, companyId) : undefined)
    .orderBy(asc(apiKeys.id))
}

/** Takes effect at the key's next request, on every process. False when there is no such active key. */
export async function revokeApiKey(db: Db, id: string, now: Date) {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now.toISOString() })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return revoked.length > 0
}

/** Whether this could be a key at all, judged without the database. */
export function looksLikeKey(secret: string) {
  if (!SHAPE.test(secret)) return false
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return secret.slice(-CHECKSUM_LENGTH) === checksum(body)
}

export type Keyring = {
  /** The active key of this secret, remembered until it or its company changes. */
  find(secret: string): Promise<ActiveKey | undefined> | ActiveKey
}

export function openKeyring(db: Database, listener: Listener): Keyring {
  const usedAt = new Map<string, number>()
  const find = remember<ActiveKey>(async (digest) => load(db, digest), {
    listener,
    forget: {
      api_key_changed: (key, id) => key.id === id,
      company_changed: (key, id) => key.company.id === id,
    },
    max: REMEMBERED,
  })
  return {
    async find(secret) {
      const key = await find(hash(secret).toString('base64'))
      if (key) await noteUse(db, usedAt, key.id)
      return key
    },
  }
}

async function load(db: Database, digest: string) {
  const [row] = await active(db).execute({ hash: Buffer.from(digest, 'base64') })
  return row
}

const active = perDatabase((db: Database) =>
  db
    .select({ id: apiKeys.id, scopes: apiKeys.scopes, company: companies })
    .from(apiKeys)
    .innerJoin(companies, eq(companies.id, apiKeys.companyId))
    .where(and(eq(apiKeys.secretHash, sql.placeholder('hash')), isNull(apiKeys.revokedAt)))
    .prepare('active_api_key'),
)

/** `last used` is true to the minute: a write per request would cost more than it tells. */
async function noteUse(db: Database, usedAt: Map<string, number>, id: string) {
  const at = Date.now()
  if (at - (usedAt.get(id) ?? 0) < USED_EVERY_MS) return
  if (usedAt.size >= REMEMBERED) usedAt.clear()
  usedAt.set(id, at)
  await db
    .update(apiKeys)
    .set({ lastUsedAt: new Date(at).toISOString() })
    .where(eq(apiKeys.id, id))
}

function hash(secret: string) {
  return createHash('sha256').update(secret).digest()
}

function checksum(body: string) {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
