// Where a company wants its webhooks. The secret is shown once, to whoever made or rotated it, and
// kept sealed.
import type { LookupFunction } from 'node:net'
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, sql } from '../database/drizzle.ts'
import { newId } from '../database/id.ts'
import type { Seal } from '../database/seal.ts'
import {
  companies,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../database/tables.ts'
import type { EventType } from '../database/words.ts'
import { AppError, invalidFields, notFound } from '../http/errors.ts'
import { texts } from '../texts.ts'
import { checkWebhookUrl } from './address.ts'
import { newWebhookSecret } from './sign.ts'

export const MAX_ENDPOINTS = 10
export const DEFAULT_EVENTS: EventType[] = ['transaction.approved']

const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1_000
const REMOVAL_BATCH = 1_000

export type NewEndpoint = {
  companyId: string
  url: string
  /** Default: `transaction.approved` alone. */
  events?: EventType[]
  allowPrivate?: boolean
  /** Resolves the URL's name; the system's resolver unless told. */
  lookup?: LookupFunction
}

/** The secret is not readable again. Throws 422 for a refused URL, 409 when there are too many. */
export async function addEndpoint(db: Database, seal: Seal, endpoint: NewEndpoint) {
  const { companyId, url, allowPrivate = false, lookup } = endpoint
  const events = endpoint.events?.length ? [...new Set(endpoint.events)] : DEFAULT_EVENTS
  const refusal = await checkWebhookUrl(url, allowPrivate, lookup)
  if (refusal) {
    throw invalidFields([{ field: 'url', code: refusal, message: texts.webhooks.url[refusal] }])
  }

  const id = newId()
  const secret = newWebhookSecret()
  const values = { id, companyId, url: new URL(url).href, events, secret: seal.close(secret) }
  await db.transaction(async (tx) => {
    // One at a time for each company, so that the limit holds; payments don't wait for this lock.
    const [company] = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    if (!company) throw notFound()
    const count = await tx.$count(webhookEndpoints, eq(webhookEndpoints.companyId, companyId))
    if (count >= MAX_ENDPOINTS) {
      throw new AppError(409, 'too_many_endpoints', texts.webhooks.tooManyEndpoints(MAX_ENDPOINTS))
    }
    await tx.insert(webhookEndpoints).values(values)
  })
  return { id, secret }
}

/** Oldest first, without secrets. `rotatingUntil`: until when the previous secret signs too. */
export async function listEndpoints(db: Database, companyId: string) {
  return db
    .select({
      id: webhookEndpoints.id,
      url: webhookEndpoints.url,
      events: webhookEndpoints.events,
      rotatingUntil: webhookEndpoints.previousSecretUntil,
      disabledAt: webhookEndpoints.disabledAt,
      createdAt: webhookEndpoints.createdAt,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.companyId, companyId))
    .orderBy(webhookEndpoints.id)
}

/** Deliveries not made yet are kept, and go out when it is enabled again. False: not found. */
export async function disableEndpoint(db: Database, companyId: string, id: string, now: Date) {
  const found = await db
    .update(webhookEndpoints)
    .set({ disabledAt: sql`coalesce(disabled_at, ${now.toISOString()}::timestamptz)` })
    .where(theEndpoint(companyId, id))
    .returning({ id: webhookEndpoints.id })
  return found.length > 0
}

/** False: not found. */
export async function enableEndpoint(db: Database, companyId: string, id: string) {
  const found = await db
    .update(webhookEndpoints)
    .set({ disabledAt: null })
    .where(theEndpoint(companyId, id))
    .returning({ id: webhookEndpoints.id, woken: sql`pg_notify('delivery_due', '')` })
  return found.length > 0
}

/** Removes the endpoint and all that is known of its deliveries; events stay. False: not found. */
export async function removeEndpoint(db: Database, companyId: string, id: string, now: Date) {
  // Disabled it gets no more deliveries, so that payments don't wait while its history goes.
  if (!(await disableEndpoint(db, companyId, id, now))) return false
  while ((await db.transaction((tx) => removeDeliveries(tx, id))) === REMOVAL_BATCH) {}
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(theEndpoint(companyId, id))
      .for('update')
    await removeDeliveries(tx, id)
    await tx.delete(webhookEndpoints).where(theEndpoint(companyId, id))
    return locked.length > 0
  })
}

/** The new secret, shown once; the one before signs too for 24 hours. Null: not found. */
export async function rotateSecret(
  db: Database,
  seal: Seal,
  { companyId, id, now }: { companyId: string; id: string; now: Date },
) {
  const secret = newWebhookSecret()
  const rotated = await db
    .update(webhookEndpoints)
    .set({
      secret: seal.close(secret),
      previousSecret: sql`${webhookEndpoints.secret}`,
      previousSecretUntil: new Date(now.getTime() + ROTATION_OVERLAP_MS).toISOString(),
    })
    .where(theEndpoint(companyId, id))
    .returning({ id: webhookEndpoints.id })
  return rotated.length > 0 ? secret : null
}

function theEndpoint(companyId: string, id: string) {
  return and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.id, id))
}

/** Locks before it deletes: an attempt that ends meanwhile waits, and then finds nothing to record. */
async function removeDeliveries(tx: Transaction, endpointId: string) {
  const batch = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .limit(REMOVAL_BATCH)
    .for('update')
  const ids = batch.map(({ id }) => id)
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, ids))
  await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, ids))
  return ids.length
}
