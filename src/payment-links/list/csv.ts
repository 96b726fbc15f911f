// A company's links as a table for people.

import {
  centsColumn,
  countColumn,
  instantColumn,
  type TableColumn,
  textColumn,
} from '../../http/tables/columns.ts'
import { texts } from '../../texts.ts'
import { getLinkStatus, type LinkRow } from '../payment-link.ts'
import { type LinkContext, linkUrl } from '../serialize.ts'
import { linkTexts } from '../texts.ts'

const { csv, statuses, interest } = linkTexts
const { methods, yes, no } = texts

export function buildLinkColumns({
  checkoutUrl,
  testMode,
  now,
}: LinkContext): TableColumn<LinkRow>[] {
  return [
    textColumn(csv.id, ({ id }) => id),
    textColumn(csv.slug, ({ slug }) => slug),
    textColumn(csv.url, ({ slug }) => linkUrl(checkoutUrl, slug)),
    textColumn(csv.title, ({ title }) => title),
    textColumn(csv.description, ({ description }) => description),
    centsColumn(csv.amount, ({ amountCents }) => amountCents),
    textColumn(csv.methods, (link) => link.methods.map((method) => methods[method]).join(', ')),
    countColumn(csv.maxInstallments, ({ maxInstallments }) => maxInstallments),
    textColumn(csv.interest, ({ interestMode }) => interest[interestMode]),
    textColumn(csv.status, (link) => statuses[getLinkStatus(link, now)]),
    textColumn(csv.tags, ({ tags }) => tags.join(', ')),
    textColumn(csv.externalReference, ({ externalReference }) => externalReference),
    countColumn(csv.maxPayments, ({ maxPayments }) => maxPayments),
    instantColumn(csv.expiresAt, ({ expiresAt }) => expiresAt),
    instantColumn(csv.createdAt, ({ createdAt }) => createdAt),
    instantColumn(csv.updatedAt, ({ updatedAt }) => updatedAt),
    textColumn(csv.testMode, () => (testMode ? yes : no)),
  ]
}
