// The API keys of a company's environments: issued, listed, revoked, rolled, and found by their secret. A key is shown
// once and stored as its SHA-256.
import { type Company, REAL_COMPANY_ID } from '../companies/company.ts'
import { batchCalls } from '../database/batch.ts'
import type { Database, Db } from '../database/connect.ts'
import { and, asc, desc, eq, inArray, isNull, lt } from '../database/drizzle.ts'
import type { Scope } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { isUuid, newId } from '../database/id.ts'
import { DAY_MS } from '../database/instant.ts'
import { apiKeys, companies } from '../database/tables.ts'
import { AppError, invalidFieldsError, notFoundError } from '../http/errors.ts'
import { createNetworkMatcher } from '../http/ip.ts'
import type { PageQuery } from '../http/pagination.ts'
import { hashApiKey, newApiKey } from './key-text.ts'

const MAX_OVERLAP_DAYS = 7

export type ActiveKey = {
  id: string
  scopes: Scope[] | null
  /** Whether a request may come from this address; null when all addresses may. */
  isAllowedFrom: ((ip: string) => boolean) | null
  expiresAt: string | null
  lastUsedAt: string | null
  company: Company
}

const API_KEY_COLUMNS = {
  id: apiKeys.id,
  companyId: apiKeys.companyId,
  name: apiKeys.name,
  lastFour: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  allowedNetworks: apiKeys.allowedNetworks,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
}

/** Creates a key and returns its secret, which cannot be shown again. */
export async function issueApiKey(
  db: Db,
  companyId: string,
  name: string,
  scopes: Scope[] | null = null,
  allowedNetworks: string[] | null = null,
) {
  const wanted = { id: newId(), companyId, name, scopes, allowedNetworks }
  const issued = await issueApiKeyOnce(db, wanted)
  if (issued.kind === 'existing') throw new Error('A new id was taken already')
  const { id, key } = issued
  return { id, key }
}

type NewApiKey = {
  id: string
  companyId: string
  name: string
  scopes: Scope[] | null
  /** As parseNetwork returns them. */
  allowedNetworks: string[] | null
}

type IssueResult =
  | { kind: 'issued'; id: string; key: string }
  /** A key with this id exists already. */
  | { kind: 'existing' }

/** Creates a key with an id that comes from a form, so that a form sent twice creates one key. */
export async function issueApiKeyOnce(db: Db, wanted: NewApiKey): Promise<IssueResult> {
  const key = newApiKey(await isTestCompany(db, wanted.companyId))
  const made = await db
    .insert(apiKeys)
    .values({ ...wanted, secretHash: hashApiKey(key), lastFour: key.slice(-4) })
    .onConflictDoNothing({ target: apiKeys.id })
    .returning({ id: apiKeys.id })
  return made.length > 0 ? { kind: 'issued', id: wanted.id, key } : { kind: 'existing' }
}

async function isTestCompany(db: Db, companyId: string) {
  const [company] = await db
    .select({ testMode: companies.testMode })
    .from(companies)
    .where(eq(companies.id, companyId))
  return requireFound(company).testMode
}

/** Lists the keys of these environments, or of all when none is given. */
export async function listApiKeys(db: Db, ...companyIds: string[]) {
  return db
    .select({ ...API_KEY_COLUMNS, companyId: REAL_COMPANY_ID, testMode: companies.testMode })
    .from(apiKeys)
    .innerJoin(companies, eq(companies.id, apiKeys.companyId))
    .where(companyIds.length > 0 ? inArray(apiKeys.companyId, companyIds) : undefined)
    .orderBy(asc(apiKeys.id))
}

export type ListedApiKey = Awaited<ReturnType<typeof listApiKeyPage>>[number]

/** Lists up to `limit + 1` keys below `cursor`, newest first. */
export async function listApiKeyPage(db: Db, companyId: string, { limit, cursor }: PageQuery) {
  return db
    .select(API_KEY_COLUMNS)
    .from(apiKeys)
    .where(and(eq(apiKeys.companyId, companyId), lt(apiKeys.id, cursor)))
    .orderBy(desc(apiKeys.id))
    .limit(limit + 1)
}

/** @param companyId undefined means every company, which only the operator may ask for */
export async function findApiKey(db: Db, companyId: string | undefined, id: string) {
  const [key] = isUuid(id)
    ? await db.select(API_KEY_COLUMNS).from(apiKeys).where(buildApiKeyCondition(id, companyId))
    : []
  return key
}

/**
 * Revokes a key from its next request on, in every process; `notActive`: no key has this id, or the key no longer works.
 * @param companyId see findApiKey
 */
export async function revokeApiKey(db: Db, id: string, now: Date, companyId?: string) {
  if (!isUuid(id)) return { kind: 'notActive' } as const
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now.toISOString() })
    .where(and(buildApiKeyCondition(id, companyId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return { kind: revoked.length > 0 ? 'revoked' : 'notActive' } as const
}

type RollApiKeyInput = { companyId: string; id: string; until: Date; now: Date }

/**
 * Creates a key that replaces an old one, with its name, scopes and networks. The old one works until `until`, at most
 * seven days. Throws 404, 409 for a key that has ended or is already being rolled, 422 for a later `until`.
 */
export async function rollApiKey(db: Database, { companyId, id, until, now }: RollApiKeyInput) {
  if (until.getTime() > now.getTime() + MAX_OVERLAP_DAYS * DAY_MS) {
    const message = apiKeyTexts.until(MAX_OVERLAP_DAYS)
    throw invalidFieldsError([{ field: 'until', code: 'too_big', message }])
  }
  if (!(await findApiKey(db, companyId, id))) throw notFoundError(apiKeyTexts.notFound)
  return db.transaction(async (tx) => {
    const [old] = await tx
      .update(apiKeys)
      .set({ expiresAt: until.toISOString() })
      .where(
        and(
          buildApiKeyCondition(id, companyId),
          isNull(apiKeys.revokedAt),
          isNull(apiKeys.expiresAt),
        ),
      )
      .returning({
        name: apiKeys.name,
        scopes: apiKeys.scopes,
        allowedNetworks: apiKeys.allowedNetworks,
      })
    if (!old) throw new AppError(409, 'not_rollable', apiKeyTexts.notRollable)
    const { name, scopes, allowedNetworks } = old
    return { ...(await issueApiKey(tx, companyId, name, scopes, allowedNetworks)), ...old }
  })
}

/** Returns a function that finds the active key of a secret in its current state. */
export function createActiveKeyFinder(db: Database, now: () => Date) {
  const find = batchCalls((digests: string[]) => listActiveKeys(db, digests))
  return async (secret: string) => {
    const key = await find(hashApiKey(secret).toString('base64'))
    return key && !isApiKeyExpired(key, now()) ? key : undefined
  }
}

function isApiKeyExpired({ expiresAt }: ActiveKey, now: Date) {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime()
}

async function listActiveKeys(db: Database, digests: string[]) {
  const hashes = digests.map((digest) => Buffer.from(digest, 'base64'))
  const rows = await db
    .select({
      id: apiKeys.id,
      secretHash: apiKeys.secretHash,
      scopes: apiKeys.scopes,
      allowedNetworks: apiKeys.allowedNetworks,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      company: companies,
    })
    .from(apiKeys)
    .innerJoin(companies, eq(companies.id, apiKeys.companyId))
    .where(and(inArray(apiKeys.secretHash, hashes), isNull(apiKeys.revokedAt)))
  const found = new Map(rows.map((row) => [row.secretHash.toString('base64'), toActiveKey(row)]))
  return digests.map((digest) => found.get(digest))
}

type ActiveKeyRow = Omit<ActiveKey, 'isAllowedFrom'> & {
  secretHash: Buffer
  allowedNetworks: string[] | null
}

function toActiveKey({ secretHash: _, allowedNetworks, ...key }: ActiveKeyRow): ActiveKey {
  return { ...key, isAllowedFrom: allowedNetworks && createNetworkMatcher(allowedNetworks) }
}

function buildApiKeyCondition(id: string, companyId: string | undefined) {
  return and(eq(apiKeys.id, id), companyId ? eq(apiKeys.companyId, companyId) : undefined)
}

export const apiKeyTexts = {
  notFound: 'Chave de API não encontrada.',
  until: (days: number) => `A chave antiga pode valer por no máximo ${days} dias.`,
  notRollable: 'Esta chave foi revogada ou já está sendo trocada.',
} as const

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
 * Changes nothing when the key has ended or its networks differ from `before`.
 * @param companyId see findApiKey
 */
export async function restrictApiKey(
  db: Db,
  { id, allowedNetworks, companyId, before }: RestrictApiKeyInput,
) {
  if (!isUuid(id)) return { kind: 'notActive' } as const
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
  return { kind: restricted.length > 0 ? 'restricted' : 'notActive' } as const
}

function buildNetworksCondition(networks: string[] | null) {
  const { allowedNetworks } = apiKeys
  return networks === null ? isNull(allowedNetworks) : eq(allowedNetworks, networks)
}
