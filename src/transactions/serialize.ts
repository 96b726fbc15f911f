// A transaction as companies see it: in the API's answers and in webhooks.

import { UTM_NAMES } from '../database/enums.ts'
import { serializeDocument, toPlainSpaces } from '../format.ts'
import { toResource } from '../http/fields.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { linkUrl, toLinkEventData } from '../payment-links/serialize.ts'
import { serializeInstitution } from '../providers/received.ts'
import { buildRecord } from '../record.ts'
import { texts } from '../texts.ts'
import { computeNet, getPayoutDay } from './payout.ts'
import { AnswerResource, TransactionResource } from './schema.ts'
import type { TransactionRow } from './transaction.ts'

/** Receivers of Standard Webhooks may refuse a body of 20 kB; the envelope takes 200 bytes of it. */
const MAX_DATA_BYTES = 19_800

export function serializeTransaction(
  row: TransactionRow,
  slug: string,
  checkoutUrl: string,
): TransactionResource {
  return toResource(TransactionResource, {
    ...row,
    ...serializePayout(row),
    ...serializeInstrument(row),
    currency: 'BRL',
    paymentLinkSlug: slug,
    holdReason: row.holdReason && toPlainSpaces(row.holdReason),
    declineMessage: row.declineCode && texts.declines[row.declineCode],
    customer: {
      id: row.customerId,
      name: row.payerName,
      email: row.payerEmail,
      ...serializeDocument(row.payerTaxId),
    },
    customFields: (row.customFields ?? []).map((answer) => toResource(AnswerResource, answer)),
    utm: row.utm && buildRecord(UTM_NAMES, (name) => row.utm?.[name] ?? null),
    receiptUrl: paymentUrl(checkoutUrl, slug, row.token),
  })
}

/** The address of a payment's own page, which shows every state, and at the end the receipt. */
export function paymentUrl(checkoutUrl: string, slug: string, token: string) {
  return `${linkUrl(checkoutUrl, slug)}/payments/${token}`
}

/**
 * Builds the data of a webhook about a payment, with `more`. If the link's metadata and tags do not fit twice, only the
 * payment's own copies stay.
 */
export function toTransactionEventData(
  row: TransactionRow,
  link: LinkRow,
  checkoutUrl: string,
  more: Record<string, unknown> = {},
) {
  const transaction = serializeTransaction(row, link.slug, checkoutUrl)
  const paymentLink = toLinkEventData(link)
  const data = { transaction, paymentLink, ...more }
  if (Buffer.byteLength(JSON.stringify(data)) < MAX_DATA_BYTES) return data
  const { metadata: _, tags: __, ...rest } = paymentLink
  return { ...data, paymentLink: rest }
}

function serializePayout(row: TransactionRow) {
  const expectedOn = getPayoutDay(row)
  return { netCents: computeNet(row), expectedOn, payoutParts: expectedOn === null ? null : 1 }
}

function serializeInstrument(
  row: TransactionRow,
): Pick<TransactionResource, 'card' | 'pix' | 'threeDs'> {
  const { cardBrand, cardLast4, cardHolder, threeDsStatus, threeDsFlow, pixTxid } = row
  return {
    card:
      cardBrand && cardLast4
        ? { brand: cardBrand, last4: cardLast4, holderName: cardHolder }
        : null,
    pix: pixTxid
      ? {
          txid: pixTxid,
          endToEndId: row.pixEndToEndId,
          brCode: row.pixBrCode,
          expiresAt: row.expiresAt,
          institution: row.pixInstitution && serializeInstitution(row.pixInstitution),
        }
      : null,
    threeDs:
      threeDsStatus && threeDsFlow
        ? { status: threeDsStatus, eci: row.threeDsEci, flow: threeDsFlow }
        : null,
  }
}
