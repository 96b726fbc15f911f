// What changes want of fields that only answers have, and that would be dropped in silence.

import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { findReadOnlyErrors } from '../../http/fields.ts'
import type { LinkRow } from '../payment-link.ts'
import { sumPayments } from '../payments.ts'
import { echoedLinkFields, type PaymentLinkChanges } from '../schema.ts'
import { type LinkContext, serializePaymentLink } from '../serialize.ts'

export async function findReadOnlyChangeErrors(
  db: Database,
  link: LinkRow,
  changes: PaymentLinkChanges,
  context: LinkContext,
) {
  const shown = serializePaymentLink(link, context)
  const wrong = findReadOnlyErrors(echoedLinkFields, changes, shown)
  if (wrong.length === 0) return wrong
  const totals = await sumPayments(db, link)
  return findReadOnlyErrors(echoedLinkFields, changes, { ...shown, ...totals })
}

/** Of a copy of the link. */
export function findReadOnlyCopyErrors(
  { testMode }: Company,
  { imageHash }: LinkRow,
  overrides: PaymentLinkChanges,
) {
  const known = { testMode, imageUrl: imageHash ? undefined : null }
  return findReadOnlyErrors(echoedLinkFields, overrides, known)
}
