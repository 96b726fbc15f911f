// Webhook endpoints: the addresses to which a company's webhooks are sent.
import type { LookupFunction } from 'node:net'
import type { Database, Transaction } from '../../database/connect.ts'
import { and, eq, inArray, sql } from '../../database/drizzle.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import type { EventType } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import {
  companies,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../../database/tables.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { newWebhookSecret } from '../signature.ts'
import { webhookTexts } from '../texts.ts'
import { refuseWrongEndpoint } from './field-errors.ts'
import {
  encryptHeaders,
  type HeaderField,
  isOtherOrigin,
  keepHeaderValues,
  listValuesLeftBehind,
} from './headers.ts'
import type { WebhookEndpoint } from './schema.ts'

export const MAX_ENDPOINTS = 10
export const DEFAULT_EVENT_TYPES: EventType[] = ['transaction.approved']

export type NewEndpoint = {
  /**
   * The request's id. If a repeated request already created the endpoint, it gets another secret, since the first
   * answer was lost.
   */
  id?: string
  companyId: string
  url: string
  /** The default is `transaction.approved`. */
  events?: readonly EventType[]
  headers?: HeaderField[] | undefined
  disabledAt?: string | null
  allowPrivate?: boolean
  /** Resolves the URL's name; the system's resolver by default. */
  lookup?: LookupFunction
}

/** Returns the secret, which is not shown again. Throws 422 for a refused URL or header, 409 for too many. */
export async function createEndpoint(db: Database, cipher: Cipher, endpoint: NewEndpoint) {
  const { companyId, id = newId(), disabledAt = null } = endpoint
  const events = endpoint.events?.length ? [...new Set(endpoint.events)] : [...DEFAULT_EVENT_TYPES]
  await refuseWrongEndpoint(endpoint, endpoint)
  const { href: url } = new URL(endpoint.url)

  const secret = newWebhookSecret()
  const encrypted = cipher.encrypt(secret, 'webhook_endpoints.secret', id)
  const headers = encryptHeaders(cipher, id, endpoint.headers ?? [])
  const values = { id, companyId, url, events, secret: encrypted, disabledAt, ...headers }
  await db.transaction(async (tx) => {
    // The lock makes requests of a company take turns, so that the limit holds; payments don't wait for it.
    const [company] = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    if (!company) throw notFoundError()
    const made = await tx
      .update(webhookEndpoints)
      .set({ secret: values.secret })
      .where(buildEndpointCondition(companyId, id))
      .returning({ id: webhookEndpoints.id })
    if (made.length > 0) return
    const count = await tx.$count(webhookEndpoints, eq(webhookEndpoints.companyId, companyId))
    if (count >= MAX_ENDPOINTS) {
      throw new AppError(409, 'too_many_endpoints', webhookTexts.tooManyEndpoints(MAX_ENDPOINTS))
    }
    const added = await tx.insert(webhookEndpoints).values(values).onConflictDoNothing()
    // The id belongs to another company, so it was invented.
    if (added.rowCount === 0) throw notFoundError()
  })
  return { id, secret }
}

export type EndpointRow = Awaited<ReturnType<typeof listEndpoints>>[number]

/** Without secrets. `rotatingUntil`: until when the previous secret signs too. */
const ENDPOINT_COLUMNS = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  events: webhookEndpoints.events,
  headerNames: webhookEndpoints.headerNames,
  /** Changes when the values of the headers change. */
  headersMark: sql<string | null>`md5(header_values)`,
  rotatingUntil: webhookEndpoints.previousSecretUntil,
  disabledAt: webhookEndpoints.disabledAt,
  createdAt: webhookEndpoints.createdAt,
}

export async function listEndpoints(db: Database, companyId: string) {
  return db
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.companyId, companyId))
    .orderBy(webhookEndpoints.id)
}

/** Throws 404 when the company has no endpoint with this id. */
export async function findEndpoint(db: Database, companyId: string, id: string) {
  const [endpoint] = isUuid(id)
    ? await db
        .select(ENDPOINT_COLUMNS)
        .from(webhookEndpoints)
        .where(buildEndpointCondition(companyId, id))
    : []
  if (!endpoint) throw notFoundError(webhookTexts.endpointNotFound)
  return endpoint
}

type EndpointChanges = {
  url?: string | undefined
  events?: EventType[] | undefined
  disabled?: boolean | undefined
  /** All headers of the endpoint, not only the changed ones. */
  headers?: HeaderField[] | undefined
}
type EndpointChangeContext = {
  companyId: string
  cipher: Cipher
  allowPrivate?: boolean
  now: Date
}

/**
 * Changes the given fields. Undefined when the endpoint differs from `before` or is gone. Throws 422 for a refused URL
 * or header, or when a URL of another origin comes without the values of the headers.
 */
export async function updateEndpoint(
  db: Database,
  before: EndpointRow,
  { url, events, disabled, headers }: EndpointChanges,
  { companyId, cipher, allowPrivate = false, now }: EndpointChangeContext,
): Promise<EndpointRow | undefined> {
  const leftBehind = listValuesLeftBehind(before, { url, headers })
  const isMoved = isOtherOrigin(before.url, url)
  const kept = headers && (isMoved ? headers : await keepHeaderValues(db, cipher, before, headers))
  await refuseWrongEndpoint({ url, headers: kept }, { allowPrivate }, leftBehind)
  const changes = {
    ...(url !== undefined && { url: new URL(url).href }),
    ...(events && { events }),
    ...(kept && encryptHeaders(cipher, before.id, kept)),
    ...(disabled !== undefined && { disabledAt: disabled ? buildDisabledAt(now) : null }),
  }
  if (Object.keys(changes).length === 0) return before
  const [changed] = await db
    .update(webhookEndpoints)
    .set(changes)
    .where(and(buildEndpointCondition(companyId, before.id), buildUnchangedCondition(before)))
    .returning({ ...ENDPOINT_COLUMNS, woken: sql`pg_notify('delivery_due', '')` })
  if (!changed) return undefined
  const { woken: _, ...row } = changed
  return row
}

/**
 * Disables an endpoint, or enables it (`disabledAt` null). Its deliveries are kept, and are sent once it is enabled.
 * Returns false when the company has no such endpoint.
 */
export async function setEndpointDisabled(
  db: Database,
  companyId: string,
  id: string,
  disabledAt: Date | null,
) {
  const found = await db
    .update(webhookEndpoints)
    .set({ disabledAt: disabledAt && buildDisabledAt(disabledAt) })
    .where(buildEndpointCondition(companyId, id))
    .returning({ id: webhookEndpoints.id, woken: sql`pg_notify('delivery_due', '')` })
  return found.length > 0
}

/** Header values that are set at the same time must not be sent to another origin. */
function buildUnchangedCondition({ url, events, headerNames, headersMark }: EndpointRow) {
  return and(
    eq(webhookEndpoints.url, url),
    eq(webhookEndpoints.events, events),
    eq(webhookEndpoints.headerNames, headerNames),
    sql`md5(header_values) is not distinct from ${headersMark}`,
  )
}

/** The second time does not change since when it is disabled. */
function buildDisabledAt(now: Date) {
  return sql`coalesce(disabled_at, ${now.toISOString()}::timestamptz)`
}

export function buildEndpointCondition(companyId: string, id: string) {
  return and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.id, id))
}

export function serializeEndpoint(
  { rotatingUntil, ...row }: EndpointRow,
  { testMode, now }: { testMode: boolean; now: Date },
): WebhookEndpoint {
  const rotating = rotatingUntil !== null && rotatingUntil > now.toISOString()
  return {
    ...row,
    testMode,
    disabled: row.disabledAt !== null,
    rotatingUntil: rotating ? rotatingUntil : null,
  }
}

/** The query of an address may hold secrets, which mails and the audit log must not spread. */
export function stripUrlQuery(url: string) {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

const REMOVAL_BATCH_SIZE = 1_000

/** Removes the endpoint with its deliveries; events stay. Returns false when there is no such endpoint. */
export async function removeEndpoint(db: Database, companyId: string, id: string, now: Date) {
  // It is disabled first, so that it gets no more deliveries. It is locked, and payments wait, only for the last batch.
  if (!(await setEndpointDisabled(db, companyId, id, now))) return false
  while ((await db.transaction((tx) => removeDeliveryBatch(tx, id))) === REMOVAL_BATCH_SIZE) {}
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(buildEndpointCondition(companyId, id))
      .for('update')
    await removeDeliveryBatch(tx, id)
    await tx.delete(webhookEndpoints).where(buildEndpointCondition(companyId, id))
    return locked.length > 0
  })
}

/** Locks before deleting: an attempt that ends meanwhile waits, and then finds no row to record. */
async function removeDeliveryBatch(tx: Transaction, endpointId: string) {
  const batch = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .limit(REMOVAL_BATCH_SIZE)
    .for('update')
  const ids = batch.map(({ id }) => id)
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, ids))
  await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, ids))
  return ids.length
}
