// The columns of the links' export.

import { formatPercent } from '../../format.ts'
import {
  centsColumn,
  countColumn,
  instantColumn,
  type TableColumn,
  textColumn,
} from '../../http/tables/columns.ts'
import { texts } from '../../texts.ts'
import { getLinkStatus, type LinkRow } from '../payment-link.ts'
import { PLAIN_TEXT_NAMES, PLAIN_TEXTS, type PlainTextName } from '../plain-texts.ts'
import { type LinkContext, linkUrl } from '../serialize.ts'
import { linkTexts } from '../texts.ts'

const { csv, statuses, interest } = linkTexts
const { methods, yes, no } = texts

const LANDED_TEXTS: readonly PlainTextName[] = [
  'redirectUrl',
  'inactiveMessage',
  'successMessage',
  'statementDescriptor',
]
const PLACED_TEXTS: readonly PlainTextName[] = ['description', 'externalReference', ...LANDED_TEXTS]
/** Programs read columns by position and heading, so the texts that links get later have the last columns. */
const LATER_TEXTS = PLAIN_TEXT_NAMES.filter((name) => !PLACED_TEXTS.includes(name))

function toTextColumn(name: PlainTextName) {
  return textColumn<LinkRow>(PLAIN_TEXTS[name].label, (link) => link[name])
}

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
    toTextColumn('description'),
    centsColumn(csv.amount, ({ amountCents }) => amountCents),
    textColumn(csv.methods, (link) => link.methods.map((method) => methods[method]).join(', ')),
    countColumn(csv.maxInstallments, ({ maxInstallments }) => maxInstallments),
    textColumn(csv.interest, ({ interestMode }) => interest[interestMode]),
    textColumn(csv.status, (link) => statuses[getLinkStatus(link, now)]),
    textColumn(csv.tags, ({ tags }) => tags.join(', ')),
    toTextColumn('externalReference'),
    countColumn(csv.maxPayments, ({ maxPayments }) => maxPayments),
    instantColumn(csv.expiresAt, ({ expiresAt }) => expiresAt),
    instantColumn(csv.createdAt, ({ createdAt }) => createdAt),
    instantColumn(csv.updatedAt, ({ updatedAt }) => updatedAt),
    textColumn(csv.testMode, () => (testMode ? yes : no)),
    ...LANDED_TEXTS.map(toTextColumn),
    countColumn(csv.interestFree, ({ interestFreeInstallments }) => interestFreeInstallments),
    textColumn(csv.pixDiscount, ({ pixDiscountBps: bps }) =>
      bps === null ? null : formatPercent(bps),
    ),
    ...LATER_TEXTS.map(toTextColumn),
  ]
}
