// Where a company wants its webhooks. The secret is shown once, to whoever made or rotated it, and
// kept sealed.
import type { LookupFunction } from 'node:net'
import type { Database, Transaction } from '../database/connect.ts'
import { and, desc, eq, inArray, lt, sql } from '../database/drizzle.ts'
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
import type { PageQuery } from '../http/page.ts'
import { texts } from '../texts.ts'
import { checkWebhookUrl } from './address.ts'
import { DEFAULT_OVERLAP_HOURS } from './schema.ts'
import { newWebhookSecret } from './sign.ts'

export const MAX_ENDPOINTS = 10
export const DEFAULT_EVENTS: EventType[] = ['transaction.approved']

const HOUR_MS = 60 * 60 * 1_000
const REMOVAL_BATCH = 1_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export type NewEndpoint = {
  /** Of the request that asks for it. One that was made by it before gets another secret: nobody saw the first. */
  id?: string
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
  const { companyId, id = newId() } = endpoint
  const events = endpoint.events?.length ? [...new Set(endpoint.events)] : DEFAULT_EVENTS
  const url = await allowedUrl(endpoint.url, endpoint)

  const secret = newWebhookSecret()
  const values = { id, companyId, url, events, secret: seal.close(secret) }
  await db.transaction(async (tx) => {
    // One at a time for each company, so that the limit holds; payments don't wait for this lock.
    const [company] = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    if (!company) throw notFound()
    const made = await tx
      .update(webhookEndpoints)
      .set({ secret: values.secret })
      .where(theEndpoint(companyId, id))
      .returning({ id: webhookEndpoints.id })
    if (made.length > 0) return
    const count = await tx.$count(webhookEndpoints, eq(webhookEndpoints.companyId, companyId))
    if (count >= MAX_ENDPOINTS) {
      throw new AppError(409, 'too_many_endpoints', texts.webhooks.tooManyEndpoints(MAX_ENDPOINTS))
    }
    await tx.insert(webhookEndpoints).values(values)
  })
  return { id, secret }
}

export type EndpointRow = Awaited<ReturnType<typeof listEndpoints>>[number]

/** Without secrets. `rotatingUntil`: until when the previous secret signs too. */
const ENDPOINT = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  events: webhookEndpoints.events,
  rotatingUntil: webhookEndpoints.previousSecretUntil,
  disabledAt: webhookEndpoints.disabledAt,
  createdAt: webhookEndpoints.createdAt,
}

/** Oldest first. */
export async function listEndpoints(db: Database, companyId: string) {
  return db
    .select(ENDPOINT)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.companyId, companyId))
    .orderBy(webhookEndpoints.id)
}

/** Up to `limit + 1`, newest first, from below `cursor`. */
export async function pageEndpoints(
  db: Database,
  companyId: string,
  { limit, cursor }: PageQuery,
): Promise<EndpointRow[]> {
  return db
    .select(ENDPOINT)
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.companyId, companyId), lt(webhookEndpoints.id, cursor)))
    .orderBy(desc(webhookEndpoints.id))
    .limit(limit + 1)
}

/** Throws 404 when the company has none of this id. */
export async function findEndpoint(
  db: Database,
  companyId: string,
  id: string,
): Promise<EndpointRow> {
  const [endpoint] = UUID.test(id)
    ? await db.select(ENDPOINT).from(webhookEndpoints).where(theEndpoint(companyId, id))
    : []
  if (!endpoint) throw notFound(texts.webhooks.endpointNotFound)
  return endpoint
}

type Changes = {
  url?: string | undefined
  events?: EventType[] | undefined
  disabled?: boolean | undefined
}
type Checked = { companyId: string; allowPrivate?: boolean; now: Date }

/** Changes what is given and nothing else. Throws 404, and 422 for a refused URL. */
export async function changeEndpoint(
  db: Database,
  id: string,
  { url, events, disabled }: Changes,
  { companyId, allowPrivate = false, now }: Checked,
): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, companyId, id)
  const changes = {
    ...(url !== undefined && { url: await allowedUrl(url, { allowPrivate }) }),
    ...(events && { events }),
    ...(disabled !== undefined && { disabledAt: disabled ? sinceBefore(now) : null }),
  }
  if (Object.keys(changes).length === 0) return endpoint
  const [changed] = await db
    .update(webhookEndpoints)
    .set(changes)
    .where(theEndpoint(companyId, id))
    .returning({ ...ENDPOINT, woken: sql`pg_notify('delivery_due', '')` })
  if (!changed) throw notFound(texts.webhooks.endpointNotFound)
  const { woken: _, ...row } = changed
  return row
}

/** Deliveries not made yet are kept, and go out when it is enabled again. False: not found. */
export async function disableEndpoint(db: Database, companyId: string, id: string, now: Date) {
  const found = await db
    .update(webhookEndpoints)
    .set({ disabledAt: sinceBefore(now) })
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

type RotationOrder = {
  companyId: string
  id: string
  /** Of the request that asks for it, also when it is repeated: see below. */
  now: Date
  overlapHours?: number
}

/** The new secret, shown once; the one before signs too while they overlap. Null: not found. */
export async function rotateSecret(
  db: Database,
  seal: Seal,
  { companyId, id, now, overlapHours = DEFAULT_OVERLAP_HOURS }: RotationOrder,
) {
  const secret = newWebhookSecret()
  const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString()
  const { previousSecret, previousSecretUntil } = webhookEndpoints
  // A rotation that is already there was this very one, whose answer was lost: nobody saw its secret,
  // and the one that the receiver knows must not give way to it.
  const before = sql`case when ${previousSecretUntil} = ${until}::timestamptz then ${previousSecret} else ${webhookEndpoints.secret} end`
  const rotated = await db
    .update(webhookEndpoints)
    .set({ secret: seal.close(secret), previousSecret: before, previousSecretUntil: until })
    .where(theEndpoint(companyId, id))
    .returning({ id: webhookEndpoints.id })
  return rotated.length > 0 ? secret : null
}

async function allowedUrl(
  url: string,
  { allowPrivate = false, lookup }: Pick<NewEndpoint, 'allowPrivate' | 'lookup'>,
) {
  const refusal = await checkWebhookUrl(url, allowPrivate, lookup)
  if (!refusal) return new URL(url).href
  throw invalidFields([{ field: 'url', code: refusal, message: texts.webhooks.url[refusal] }])
}

/** Disabled twice, it is disabled since the first time. */
function sinceBefore(now: Date) {
  return sql`coalesce(disabled_at, ${now.toISOString()}::timestamptz)`
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
