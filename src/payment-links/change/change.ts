// Changes, archives and duplicates existing links.

import { isDeepStrictEqual } from 'node:util'
import type { Company } from '../../companies/company.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { and, eq, ne, sql } from '../../database/drizzle.ts'
import type { StoredLinkStatus } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { type CreateContext, newSlug } from '../../database/id.ts'
import { isPast } from '../../database/instant.ts'
import { paymentLinks } from '../../database/tables.ts'
import { conflictError, type FieldError } from '../../http/errors.ts'
import { getKeys } from '../../record.ts'
import { emitLinkEvent, emitPassedExpiries } from '../events.ts'
import { findLinkedCustomerErrors, findMethodErrors, refuseLinkErrors } from '../field-errors.ts'
import { copyLinkImage } from '../image.ts'
import { type LinkRow, lockLinkForUpdate, withWords, writeLink } from '../payment-link.ts'
import { sumPayments } from '../payments.ts'
import type { PaymentLinkChanges } from '../schema.ts'
import { getReminderDueAt } from '../sending/schedule.ts'
import { linkTexts } from '../texts.ts'
import { findChangeErrors, mergeLinkChanges } from './merge.ts'

type UpdateOptions = {
  /** Refuses (409) when the changed fields differ from this state. */
  before?: LinkRow
  /** Errors that were found before. */
  errors?: FieldError[]
}

/**
 * Changes the fields in `changes`. The status follows: a higher or no `maxPayments` reopens a completed link, and a
 * limit that is reached completes it.
 */
export async function updatePaymentLink(
  db: Database,
  company: Company,
  link: LinkRow,
  changes: PaymentLinkChanges,
  now: Date,
  { before, errors: others = [] }: UpdateOptions = {},
): Promise<LinkRow> {
  const ofCustomer = await findLinkedCustomerErrors(db, company.id, changes.linkedCustomerId)
  const errors = [...others, ...ofCustomer]
  return db.transaction(async (tx) => {
    const current = await lockLinkForUpdate(tx, link.id, changes.maxPayments)
    if (before && !isUnchanged(before, current, changes)) {
      throw conflictError('changed_meanwhile', linkTexts.changedMeanwhile)
    }
    const next = await prepareLinkChange(tx, company, current, { changes, errors }, now)
    await emitPassedExpiries(tx, [link.id], now)
    if (isDeepStrictEqual(next, current)) return current
    const isMoved = RESCHEDULING_FIELDS.some((name) => next[name] !== current[name])
    const reminderDueAt = isMoved ? getReminderDueAt(next, now) : next.reminderDueAt
    const changed = await updateLinkRow(tx, { ...next, reminderDueAt }, now)
    if (isCompletedAnew(current, next)) {
      const { testMode } = company
      await emitLinkEvent(tx, { link: changed, type: 'payment_link.completed', testMode, now })
    }
    return changed
  })
}

/** A change of these lets the reminders begin anew. */
const RESCHEDULING_FIELDS = ['remindEveryDays', 'expiresAt', 'linkedCustomerId'] as const

type WantedChange = {
  changes: PaymentLinkChanges
  /** Errors that are found outside the transaction. */
  errors?: FieldError[]
}

/** Returns the changed row of a locked link, to be written. Throws when the change is refused. */
export async function prepareLinkChange(
  tx: Transaction,
  company: Company,
  current: LinkRow,
  { changes, errors = [] }: WantedChange,
  now: Date,
): Promise<LinkRow> {
  if (current.status === 'archived' && changes.status === undefined) {
    throw conflictError('link_archived', linkTexts.archived)
  }
  const merged = mergeLinkChanges(current, changes)
  refuseLinkErrors([
    ...errors,
    ...findMethodErrors(company, changes.methods ?? []),
    ...findChangeErrors(current, merged, changes, now),
  ])
  const status = await resolveNextStatus(tx, current, merged, changes, now)
  const next = { ...merged, status }
  if (!isCompletedAnew(current, next)) return next
  return { ...next, completedFrom: changes.status ?? current.status }
}

/** A link that returns from the archive was completed before it was archived. */
function isCompletedAnew({ status: before }: LinkRow, { status: after }: LinkRow) {
  return after === 'completed' && before !== 'completed' && before !== 'archived'
}

/** Returns the status for a link that returns from the archive, unless its expiry or payments change it. */
export function getUnarchivedStatus({ completedFrom }: LinkRow) {
  return completedFrom === 'inactive' ? 'inactive' : 'active'
}

/** Payments stay, and a shown Pix code can still be paid. Archiving again changes nothing. */
export async function archivePaymentLink(db: Database, linkId: string, now: Date) {
  await db.transaction(async (tx) => {
    await emitPassedExpiries(tx, [linkId], now)
    await tx
      .update(paymentLinks)
      .set({
        status: 'archived',
        completedFrom: sql`case status when 'completed' then completed_from else status end`,
        updatedAt: now.toISOString(),
      })
      .where(and(eq(paymentLinks.id, linkId), ne(paymentLinks.status, 'archived')))
  })
}

/** Creates a link like `source`: active, unpaid, and without an expiry that has passed. */
export async function duplicatePaymentLink(
  db: Database,
  company: Company,
  source: LinkRow,
  { id, now }: CreateContext,
) {
  refuseLinkErrors(findMethodErrors(company, source.methods))
  const at = now.toISOString()
  const expiresAt = isPast(source.expiresAt, now) ? null : source.expiresAt
  const schedule = { ...source, expiresAt, remindersSent: 0 }
  return writeLink(db, {
    ...schedule,
    reminderDueAt: getReminderDueAt(schedule, now),
    id,
    slug: newSlug(),
    status: 'active',
    completedFrom: null,
    imageHash: source.imageHash && (await copyLinkImage(db, source, { id, now })),
    cardsPausedUntil: null,
    expiryEmittedFor: null,
    createdAt: at,
    updatedAt: at,
  })
}

function isUnchanged(before: LinkRow, current: LinkRow, changes: PaymentLinkChanges) {
  const keys = getKeys(before).filter((key) => Object.hasOwn(changes, key))
  return keys.every((key) => isDeepStrictEqual(before[key], current[key]))
}

async function resolveNextStatus(
  tx: Transaction,
  before: LinkRow,
  after: LinkRow,
  { status: wanted, maxPayments }: PaymentLinkChanges,
  now: Date,
): Promise<StoredLinkStatus> {
  const limitMoved = maxPayments !== undefined
  const isArchived = before.status === 'archived'
  const countsPayments = limitMoved || isArchived || before.status === 'completed'
  const limit = countsPayments ? await checkLimit(tx, after) : OPEN_LIMIT
  if (limit.kind === 'reached') {
    if (before.status !== 'completed' || !wanted) return 'completed'
    throw buildCompleteError(wanted, limit.count)
  }
  // A link that returns from the archive may have expired, and stays expired.
  if (wanted === 'active' && !isArchived && isPast(after.expiresAt, now)) {
    throw conflictError('invalid_transition', linkTexts.stillExpired)
  }
  return wanted ?? resolveReopenedStatus(before, limitMoved)
}

function buildCompleteError(wanted: PaymentLinkChanges['status'], count: number) {
  const { stillComplete, isComplete } = linkTexts
  return conflictError(
    'invalid_transition',
    wanted === 'active' ? stillComplete(count) : isComplete,
  )
}

type LimitCheck = { kind: 'reached'; count: number } | { kind: 'open' }

const OPEN_LIMIT: LimitCheck = { kind: 'open' }

async function checkLimit(tx: Transaction, link: LinkRow): Promise<LimitCheck> {
  const { maxPayments } = link
  if (maxPayments === null) return OPEN_LIMIT
  const { paymentsCount: count } = await sumPayments(tx, link)
  return count >= maxPayments ? { kind: 'reached', count } : OPEN_LIMIT
}

/** A link is reopened only when its limit changes; a charged-back payment does not reopen it. */
function resolveReopenedStatus({ status, completedFrom }: LinkRow, limitMoved: boolean) {
  return status === 'completed' && limitMoved ? (completedFrom ?? 'active') : status
}

async function updateLinkRow(tx: Transaction, link: LinkRow, now: Date) {
  const { id, companyId: _, createdAt: __, expiryEmittedFor: ___, ...changed } = link
  const [saved] = await tx
    .update(paymentLinks)
    .set({ ...withWords(changed), updatedAt: now.toISOString() })
    .where(eq(paymentLinks.id, id))
    .returning()
  return requireFound(saved)
}
