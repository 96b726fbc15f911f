// A company's links as a table for people.

import { type CsvColumn, formatInstantCell, formatMoneyCell } from '../../http/csv.ts'
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
}: LinkContext): CsvColumn<LinkRow>[] {
  return [
    { heading: csv.id, value: ({ id }) => id },
    { heading: csv.slug, value: ({ slug }) => slug },
    { heading: csv.url, value: ({ slug }) => linkUrl(checkoutUrl, slug) },
    { heading: csv.title, value: ({ title }) => title },
    { heading: csv.description, value: ({ description }) => description },
    { heading: csv.amount, value: ({ amountCents }) => formatMoneyCell(amountCents) },
    {
      heading: csv.methods,
      value: (link) => link.methods.map((method) => methods[method]).join(', '),
    },
    { heading: csv.maxInstallments, value: ({ maxInstallments }) => maxInstallments },
    { heading: csv.interest, value: ({ interestMode }) => interest[interestMode] },
    { heading: csv.status, value: (link) => statuses[getLinkStatus(link, now)] },
    { heading: csv.tags, value: ({ tags }) => tags.join(', ') },
    { heading: csv.externalReference, value: ({ externalReference }) => externalReference },
    { heading: csv.maxPayments, value: ({ maxPayments }) => maxPayments },
    { heading: csv.expiresAt, value: ({ expiresAt }) => formatInstantCell(expiresAt) },
    { heading: csv.createdAt, value: ({ createdAt }) => formatInstantCell(createdAt) },
    { heading: csv.updatedAt, value: ({ updatedAt }) => formatInstantCell(updatedAt) },
    { heading: csv.testMode, value: () => (testMode ? yes : no) },
  ]
}
