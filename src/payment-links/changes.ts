// What a company does to a link that exists: change it, archive it, make another one of it.

import { isDeepStrictEqual } from 'node:util'
import type { Company } from '../companies/company.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, ne } from '../database/drizzle.ts'
import type { StoredLinkStatus } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { type CreateContext, newSlug } from '../database/id.ts'
import { isPast } from '../database/instant.ts'
import { paymentLinks } from '../database/tables.ts'
import { conflictError, type FieldError } from '../http/errors.ts'
import { getKeys } from '../record.ts'
import { findCarriedErrors } from './custom-fields.ts'
import { emitLinkEvent, emitPassedExpiries } from './events.ts'
import {
  findExpiryErrors,
  findLinkedCustomerErrors,
  findMethodErrors,
  refuseLinkErrors,
} from './field-errors.ts'
import { copyLinkImage } from './image.ts'
import { Metadata } from './metadata.ts'
import { type LinkRow, lockLinkForUpdate, writeLink } from './payment-link.ts'
import { sumPayments } from './payments.ts'
import type { PaymentLinkChanges } from './schema.ts'
import { linkTexts } from './texts.ts'

type UpdateOptions = {
  /** Refused (409) unless what is to be changed is still as in this one. */
  before?: LinkRow
}

/**
 * Changes what `changes` names. The link's state follows: a higher or no `maxPayments` reopens a
 * completed link, one that has been reached completes it.
 */
export async function updatePaymentLink(
  db: Database,
  company: Company,
  link: LinkRow,
  changes: PaymentLinkChanges,
  now: Date,
  { before }: UpdateOptions = {},
): Promise<LinkRow> {
  const errors = await findLinkedCustomerErrors(db, company.id, changes.linkedCustomerId)
  return db.transaction(async (tx) => {
    const current = await lockLinkForUpdate(tx, link.id, changes.maxPayments)
    if (before && !isUnchanged(before, current, changes)) {
      throw conflictError('changed_meanwhile', linkTexts.changedMeanwhile)
    }
    const next = await prepareLinkChange(tx, company, current, { changes, errors }, now)
    await emitPassedExpiries(tx, [link.id], now)
    const changed = await updateLinkRow(tx, next, now)
    if (next.status === 'completed' && current.status !== 'completed') {
      const { testMode } = company
      await emitLinkEvent(tx, { link: changed, type: 'payment_link.completed', testMode, now })
    }
    return changed
  })
}

type WantedChange = {
  changes: PaymentLinkChanges
  /** What is wrong with it and shows only outside the transaction. */
  errors?: FieldError[]
}

/** A link that is locked, as it is to be written. Throws what stands against that. */
export async function prepareLinkChange(
  tx: Transaction,
  company: Company,
  current: LinkRow,
  { changes, errors = [] }: WantedChange,
  now: Date,
): Promise<LinkRow> {
  if (current.status === 'archived') throw conflictError('link_archived', linkTexts.archived)
  const merged = mergeLinkChanges(current, changes)
  refuseLinkErrors([
    ...errors,
    ...findMethodErrors(company, changes.methods ?? []),
    ...findChangeErrors(current, merged, changes, now),
  ])
  return { ...merged, status: await resolveNextStatus(tx, current, merged, changes, now) }
}

/** What was paid stays, and a Pix code already shown stays payable. Archiving again changes nothing. */
export async function archivePaymentLink(db: Database, linkId: string, now: Date) {
  await db.transaction(async (tx) => {
    await emitPassedExpiries(tx, [linkId], now)
    await tx
      .update(paymentLinks)
      .set({ status: 'archived', updatedAt: now.toISOString() })
      .where(and(eq(paymentLinks.id, linkId), ne(paymentLinks.status, 'archived')))
  })
}

/** A new link like `source` but for `overrides`; nobody has paid it, and no expiry that has passed comes along. */
export async function duplicatePaymentLink(
  db: Database,
  company: Company,
  source: LinkRow,
  overrides: PaymentLinkChanges,
  { id, now }: CreateContext,
): Promise<LinkRow> {
  const stale = isPast(source.expiresAt, now)
  const template: LinkRow = { ...source, ...(stale && { expiresAt: null }) }
  const merged = mergeLinkChanges(template, overrides)
  const errors = [
    ...(await findLinkedCustomerErrors(db, source.companyId, overrides.linkedCustomerId)),
    ...findMethodErrors(company, merged.methods),
    ...findChangeErrors(template, merged, overrides, now),
  ]
  refuseLinkErrors(errors)
  const at = now.toISOString()
  return writeLink(db, {
    ...merged,
    id,
    slug: newSlug(),
    status: overrides.status ?? 'active',
    imageHash: source.imageHash && (await copyLinkImage(db, source, { id, now })),
    cardsPausedUntil: null,
    expiryToldFor: null,
    createdAt: at,
    updatedAt: at,
  })
}

function isUnchanged(before: LinkRow, current: LinkRow, changes: PaymentLinkChanges) {
  const keys = getKeys(before).filter((key) => Object.hasOwn(changes, key))
  return keys.every((key) => isDeepStrictEqual(before[key], current[key]))
}

const NULLABLE_FIELDS = [
  'description',
  'redirectUrl',
  'linkedCustomerId',
  'expiresAt',
  'maxPayments',
  'externalReference',
  'inactiveMessage',
  'customFields',
  'successMessage',
  'statementDescriptor',
] as const
const REQUIRED_FIELDS = ['title', 'amountCents', 'methods', 'interestMode', 'tags'] as const

const CARRIED_FIELDS = ['tags', 'metadata', 'customFields'] as const

/** The link as it would be. Without cards there is one installment, whatever there was before. */
function mergeLinkChanges(link: LinkRow, changes: PaymentLinkChanges): LinkRow {
  const kept = REQUIRED_FIELDS.map((key) => [key, changes[key] ?? link[key]])
  const emptied = NULLABLE_FIELDS.map((key) => {
    const value = changes[key]
    return [key, value === undefined ? link[key] : isEmpty(value) ? null : value]
  })
  const metadata = mergeMetadata(link.metadata, changes.metadata)
  const merged: LinkRow = { ...link, ...Object.fromEntries([...kept, ...emptied]), metadata }
  const card = merged.methods.includes('credit_card')
  return {
    ...merged,
    maxInstallments: card ? (changes.maxInstallments ?? link.maxInstallments) : 1,
  }
}

function isEmpty(value: unknown) {
  return Array.isArray(value) ? value.length === 0 : !value
}

/** What the changes name joins what there is; null takes a pair out. */
function mergeMetadata(pairs: LinkRow['metadata'], changes: PaymentLinkChanges['metadata']) {
  if (!changes) return pairs
  const merged = Object.entries({ ...pairs, ...changes })
  return Object.fromEntries(merged.filter((pair): pair is [string, string] => pair[1] !== null))
}

/** What only shows when the change meets the link. */
function findChangeErrors(
  link: LinkRow,
  merged: LinkRow,
  changes: PaymentLinkChanges,
  now: Date,
): FieldError[] {
  const { methods, expiresAt, metadata } = merged
  const { maxInstallments = 1 } = changes
  const once = !methods.includes('credit_card') && maxInstallments > 1
  const moved = expiresAt !== link.expiresAt
  const crowded =
    metadata === link.metadata ? undefined : Metadata.safeParse(metadata).error?.issues[0]?.message
  return [
    ...(once ? [toFieldError('maxInstallments', 'invalid_installments', linkTexts.pixOnce)] : []),
    ...(moved ? findExpiryErrors(expiresAt, now) : []),
    ...(crowded ? [toFieldError('metadata', 'too_big', crowded)] : []),
    ...(CARRIED_FIELDS.some((key) => changes[key]) ? findCarriedErrors(merged) : []),
  ]
}

function toFieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message }
}

async function resolveNextStatus(
  tx: Transaction,
  before: LinkRow,
  after: LinkRow,
  { status: wanted, maxPayments }: PaymentLinkChanges,
  now: Date,
): Promise<StoredLinkStatus> {
  const limitMoved = maxPayments !== undefined
  const judged = limitMoved || before.status === 'completed'
  const limit = judged ? await checkLimit(tx, after) : OPEN_LIMIT
  if (limit.kind === 'reached') {
    if (before.status !== 'completed' || !wanted) return 'completed'
    throw conflictError('invalid_transition', linkTexts.stillComplete(limit.count))
  }
  if (wanted === 'active' && isPast(after.expiresAt, now)) {
    throw conflictError('invalid_transition', linkTexts.stillExpired)
  }
  return wanted ?? resolveReopenedStatus(before.status, limitMoved)
}

type LimitCheck = { kind: 'reached'; count: number } | { kind: 'open' }

const OPEN_LIMIT: LimitCheck = { kind: 'open' }

/** Whether a link was paid as often as it may be. */
async function checkLimit(tx: Transaction, link: LinkRow): Promise<LimitCheck> {
  const { maxPayments } = link
  if (maxPayments === null) return OPEN_LIMIT
  const { paymentsCount: count } = await sumPayments(tx, link)
  return count >= maxPayments ? { kind: 'reached', count } : OPEN_LIMIT
}

/** A link is reopened on purpose: a payment that was charged back does not do it in passing. */
function resolveReopenedStatus(before: StoredLinkStatus, limitMoved: boolean): StoredLinkStatus {
  return before === 'completed' && limitMoved ? 'active' : before
}

async function updateLinkRow(tx: Transaction, link: LinkRow, now: Date) {
  const { id, companyId: _, slug: __, createdAt: ___, expiryToldFor: ____, ...changed } = link
  const [saved] = await tx
    .update(paymentLinks)
    .set({ ...changed, updatedAt: now.toISOString() })
    .where(eq(paymentLinks.id, id))
    .returning()
  return requireFound(saved)
}
