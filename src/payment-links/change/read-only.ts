// Finds changes of read-only fields, which would otherwise be ignored silently.

import type { Database } from '../../database/connect.ts'
import { findReadOnlyErrors } from '../../http/fields.ts'
import type { LinkRow } from '../payment-link.ts'
import { loadLinkTotals } from '../payments.ts'
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
  const totals = await loadLinkTotals(db, link)
  return findReadOnlyErrors(echoedLinkFields, changes, { ...shown, ...totals })
}
