// Applies changes to a link's row, and finds the errors of the result.

import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import type { FieldError } from '../../http/errors.ts'
import { findCarriedErrors } from '../custom-fields.ts'
import {
  findExpiryErrors,
  findInterestFreeErrors,
  findLinkedCustomerErrors,
  findMethodErrors,
} from '../field-errors.ts'
import { Metadata } from '../metadata.ts'
import type { LinkRow } from '../payment-link.ts'
import { PLAIN_TEXT_NAMES } from '../plain-texts.ts'
import type { PaymentLinkChanges } from '../schema.ts'
import { linkTexts } from '../texts.ts'

const NULLABLE_FIELDS = [
  ...PLAIN_TEXT_NAMES,
  'interestFreeInstallments',
  'pixDiscountBps',
  'linkedCustomerId',
  'expiresAt',
  'maxPayments',
  'remindEveryDays',
  'customFields',
] as const
const REQUIRED_FIELDS = ['title', 'amountCents', 'methods', 'interestMode', 'tags'] as const

const CARRIED_FIELDS = ['tags', 'metadata', 'customFields'] as const

/** The link as it would be. Without cards there is one installment, whatever there was before. */
export function mergeLinkChanges(link: LinkRow, changes: PaymentLinkChanges): LinkRow {
  const kept = REQUIRED_FIELDS.map((key) => [key, changes[key] ?? link[key]])
  const emptied = NULLABLE_FIELDS.map((key) => {
    const value = changes[key]
    return [key, value === undefined ? link[key] : isEmpty(value) ? null : value]
  })
  const metadata = mergeMetadata(link.metadata, changes.metadata)
  const merged: LinkRow = { ...link, ...Object.fromEntries([...kept, ...emptied]), metadata }
  if (!merged.methods.includes('credit_card'))
    return { ...merged, maxInstallments: 1, interestFreeInstallments: null }
  return { ...merged, maxInstallments: changes.maxInstallments ?? link.maxInstallments }
}

function isEmpty(value: unknown) {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Merges the pairs of the changes into those of the link; null removes a pair. */
function mergeMetadata(pairs: LinkRow['metadata'], changes: PaymentLinkChanges['metadata']) {
  if (!changes) return pairs
  const merged = Object.entries({ ...pairs, ...changes })
  return Object.fromEntries(merged.filter((pair): pair is [string, string] => pair[1] !== null))
}

/** Returns the errors of changes; when some fields have the wrong shape, also those of the other fields. */
export async function findLinkChangeErrors(
  db: Database,
  company: Company,
  link: LinkRow,
  changes: PaymentLinkChanges,
  now: Date,
): Promise<FieldError[]> {
  return [
    ...(await findLinkedCustomerErrors(db, company.id, changes.linkedCustomerId)),
    ...findMethodErrors(company, changes.methods ?? []),
    ...findChangeErrors(link, mergeLinkChanges(link, changes), changes, now),
  ]
}

/** Finds errors that depend on the link and its changes together. */
export function findChangeErrors(
  link: LinkRow,
  merged: LinkRow,
  changes: PaymentLinkChanges,
  now: Date,
): FieldError[] {
  const { methods, expiresAt, metadata } = merged
  const { maxInstallments = 1 } = changes
  const once = !methods.includes('credit_card') && maxInstallments > 1
  const interestFreeInstallments =
    changes.interestFreeInstallments ?? merged.interestFreeInstallments
  const moved = expiresAt !== link.expiresAt
  const crowded =
    metadata === link.metadata ? undefined : Metadata.safeParse(metadata).error?.issues[0]?.message
  return [
    ...(once ? [toFieldError('maxInstallments', 'invalid_installments', linkTexts.pixOnce)] : []),
    ...findInterestFreeErrors({ interestFreeInstallments }, merged.maxInstallments),
    ...(moved ? findExpiryErrors(expiresAt, now) : []),
    ...(crowded ? [toFieldError('metadata', 'too_big', crowded)] : []),
    ...(CARRIED_FIELDS.some((key) => changes[key]) ? findCarriedErrors(merged) : []),
  ]
}

function toFieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message }
}
