// A payment link: a fixed price and the methods it accepts. Its rows and its life:
//
//   active ⇄ inactive   decided by the company
//   active → expired    computed at every read from expiresAt, never by a timer
//          → completed  decided in the transaction that approves its last payment
//   any    → archived   put aside with its history; `status` in a change brings it back

import type { Company } from '../companies/company.ts'
import { batchByDatabase } from '../database/batch.ts'
import { type Database, getViolatedConstraint, type Transaction } from '../database/connect.ts'
import { and, eq, inArray, type SQL, sql } from '../database/drizzle.ts'
import type { LinkStatus, StoredLinkStatus } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { type CreateContext, isUuid, MIN_UUID, newSlug } from '../database/id.ts'
import { isPast } from '../database/instant.ts'
import { LINK_LIMIT_LOCK } from '../database/locks.ts'
import { companies, paymentLinks } from '../database/tables.ts'
import { notFoundError } from '../http/errors.ts'
import { SLUG_PATTERN } from '../http/fields.ts'
import { listLinkWords, toTsvector } from '../lists/words.ts'
import { buildRecord } from '../record.ts'
import { texts } from '../texts.ts'
import { findNewLinkErrors, getMaxInstallments, refuseLinkErrors } from './field-errors.ts'
import { PLAIN_TEXT_NAMES } from './plain-texts.ts'
import type { NewPaymentLink } from './schema.ts'
import { getReminderDueAt } from './sending/schedule.ts'

export type LinkRow = Omit<typeof paymentLinks.$inferSelect, 'words'>

/** Returns the link's status at `now`, as the API shows it. */
export function getLinkStatus({ status, expiresAt }: LinkRow, now: Date): LinkStatus {
  return status === 'active' && isPast(expiresAt, now) ? 'expired' : status
}

/** `isNew` is false when a repeated request already created the link with this id; it is unchanged. */
type WrittenLink = { link: LinkRow; isNew: boolean }

export async function createPaymentLink(
  db: Database,
  company: Company,
  input: NewPaymentLink,
  made: CreateContext,
): Promise<WrittenLink> {
  refuseLinkErrors(await findNewLinkErrors(db, company, input, made.now))
  return writeLink(db, buildLinkRow(company, input, made))
}

/** Builds the row of a new link, without writing it. */
export function buildLinkRow(
  company: Company,
  input: NewPaymentLink,
  { id, now }: CreateContext,
): LinkRow {
  const card = input.methods.includes('credit_card')
  const { expiresAt = null, remindEveryDays = null } = input
  const schedule = { expiresAt, remindEveryDays, remindersSent: 0 }
  return {
    id,
    companyId: company.id,
    slug: newSlug(),
    ...buildRecord(PLAIN_TEXT_NAMES, (name) => toNullable(input[name])),
    title: input.title,
    amountCents: input.amountCents,
    methods: input.methods,
    maxInstallments: getMaxInstallments(company, input),
    interestMode: input.interestMode ?? company.defaultInterestMode,
    interestFreeInstallments: (card && input.interestFreeInstallments) || null,
    pixDiscountBps: input.pixDiscountBps ?? null,
    status: input.status satisfies StoredLinkStatus,
    completedFrom: null,
    tags: input.tags,
    linkedCustomerId: input.linkedCustomerId ?? null,
    ...schedule,
    reminderDueAt: getReminderDueAt(schedule, now),
    maxPayments: input.maxPayments ?? null,
    metadata: input.metadata,
    customFields: toNullable(input.customFields),
    imageHash: null,
    cardsPausedUntil: null,
    expiryEmittedFor: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

function toNullable<T extends string | unknown[]>(value: T | null | undefined) {
  return value?.length ? value : null
}

export async function writeLink(db: Database, row: LinkRow): Promise<WrittenLink> {
  try {
    return { link: await insertUnderFreeSlug(db, row), isNew: true }
  } catch (error) {
    if (getViolatedConstraint(error) !== 'payment_links_pkey') throw error
    return { link: await requirePaymentLink(db, row.companyId, row.id), isNew: false }
  }
}

/** With a million links one slug in 10^11 is already used; it is replaced here. */
async function insertUnderFreeSlug(db: Database, row: LinkRow, tries = 3): Promise<LinkRow> {
  try {
    await insertLink(db, row)
    return row
  } catch (error) {
    if (getViolatedConstraint(error) !== 'payment_links_slug_unique' || tries === 0) throw error
    return insertUnderFreeSlug(db, { ...row, slug: newSlug() }, tries - 1)
  }
}

export async function findPaymentLink(db: Database, companyId: string, idOrSlug: string) {
  const isId = isUuid(idOrSlug)
  // Other texts, such as one with a NUL, must not reach Postgres.
  if (!isId && !SLUG_PATTERN.test(idOrSlug)) return undefined
  const key = isId ? paymentLinks.id : paymentLinks.slug
  const [row] = await db
    .select()
    .from(paymentLinks)
    .where(and(eq(key, idOrSlug), eq(paymentLinks.companyId, companyId)))
  return row
}

/** Returns the id to filter a list by; for an unknown slug, an id that no row has. */
export async function resolveLinkId(db: Database, companyId: string, idOrSlug: string) {
  if (isUuid(idOrSlug)) return idOrSlug.toLowerCase()
  return (await findPaymentLink(db, companyId, idOrSlug))?.id ?? MIN_UUID
}

/** Throws 404 when the company has no such link. */
export async function requirePaymentLink(db: Database, companyId: string, idOrSlug: string) {
  const link = await findPaymentLink(db, companyId, idOrSlug)
  if (!link) throw notFoundError(texts.linkNotFound)
  return link
}

export type LinkWithCompany = { link: LinkRow; company: Company }

/** For the checkout, which knows only the slug. Finds archived links too. */
export const findLinkBySlug = batchByDatabase(
  async (db: Database, slugs: string[]): Promise<(LinkWithCompany | undefined)[]> => {
    const rows = await selectLinks(db, inArray(paymentLinks.slug, slugs))
    const found = new Map(rows.map((row) => [row.link.slug, row]))
    return slugs.map((slug) => found.get(slug))
  },
)

export async function findLinkWithCompany(
  db: Database,
  id: string,
): Promise<LinkWithCompany | undefined> {
  const [row] = await selectLinks(db, eq(paymentLinks.id, id))
  return row
}

function selectLinks(db: Database, condition: SQL) {
  return db
    .select({ link: paymentLinks, company: companies })
    .from(paymentLinks)
    .innerJoin(companies, eq(companies.id, paymentLinks.companyId))
    .where(condition)
}

/**
 * Reads the link and locks it until the transaction ends. A link with `maxPayments` is locked exclusively, so that
 * payments are counted one at a time. Without it the lock is shared: payments do not wait for each other, but a change
 * that sets a limit waits (lockLinkForUpdate).
 */
export async function lockLinkForPayment(tx: Transaction, linkId: string): Promise<LinkRow> {
  const link = await lockLink(tx, linkId, 'key share')
  return link.maxPayments === null ? link : lockLink(tx, linkId, 'no key update')
}

/**
 * Reads the link without a lock, for callers that have already locked one of its payments: a link must be locked before
 * its payments.
 */
export async function readPaymentLink(tx: Transaction, linkId: string): Promise<LinkRow> {
  const [link] = await tx.select().from(paymentLinks).where(eq(paymentLinks.id, linkId))
  return requireFound(link)
}

/** Locks the link for a change. A change that sets a first limit waits for payments in progress, to count them. */
export async function lockLinkForUpdate(tx: Transaction, linkId: string, limit?: number | null) {
  // Changes of the limit take turns: if one removed the limit meanwhile, new payments would not wait.
  if (limit !== undefined)
    await tx.execute(sql`select pg_advisory_xact_lock(${LINK_LIMIT_LOCK}, hashtext(${linkId}))`)
  const [link] = await tx
    .select({ maxPayments: paymentLinks.maxPayments })
    .from(paymentLinks)
    .where(eq(paymentLinks.id, linkId))
  const first = requireFound(link).maxPayments === null && typeof limit === 'number'
  return lockLink(tx, linkId, first ? 'update' : 'no key update')
}

async function lockLink(
  tx: Transaction,
  linkId: string,
  strength: 'key share' | 'no key update' | 'update',
): Promise<LinkRow> {
  const [link] = await tx
    .select()
    .from(paymentLinks)
    .where(eq(paymentLinks.id, linkId))
    .for(strength)
  return requireFound(link)
}

type CompleteLinkResult =
  | { kind: 'completed'; link: LinkRow }
  /** The link was already completed or archived. */
  | { kind: 'unchanged' }

export async function completeLink(
  tx: Transaction,
  linkId: string,
  now: Date,
): Promise<CompleteLinkResult> {
  const [completed] = await tx
    .update(paymentLinks)
    .set({ status: 'completed', completedFrom: sql`status`, updatedAt: now.toISOString() })
    .where(and(eq(paymentLinks.id, linkId), inArray(paymentLinks.status, ['active', 'inactive'])))
    .returning()
  return completed ? { kind: 'completed', link: completed } : { kind: 'unchanged' }
}

const insertLink = batchByDatabase(async (db: Database, rows: LinkRow[]) => {
  await db.insert(paymentLinks).values(rows.map(withWords))
  return rows
})

/** Adds the words by which searches find the row. */
export function withWords<Row extends Parameters<typeof listLinkWords>[0]>(row: Row) {
  return { ...row, words: toTsvector(listLinkWords(row)) }
}
