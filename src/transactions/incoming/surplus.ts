// What came in beyond the sale: the sale stays as it is, and the company is told to give it back.

import type { Transaction } from '../../database/connect.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { recordEvent } from '../../webhooks/events/event.ts'
import { queueSurplusMail } from '../emails.ts'
import type { PublishContext } from '../needs.ts'
import { toTransactionEventData } from '../serialize.ts'
import type { TransactionRow } from '../transaction.ts'
import type { IncomingPaymentRow } from './row.ts'
import { serializeIncomingPayment } from './schema.ts'

type NewMoney = { link: LinkRow; overpaid: IncomingPaymentRow[] }

/** Once for each Pix that brought more than the sale still wanted. */
export async function emitSurplus(
  tx: Transaction,
  payment: TransactionRow,
  { link, overpaid }: NewMoney,
  { checkoutUrl, mail, now }: PublishContext,
) {
  const { companyId, testMode, approvedAt } = payment
  if (approvedAt === null) return
  for (const row of overpaid.filter(({ surplusCents }) => surplusCents > 0)) {
    const more = { incomingPayment: serializeIncomingPayment(row) }
    const data = toTransactionEventData(payment, link, checkoutUrl, more)
    await recordEvent(tx, { companyId, type: 'transaction.overpaid', testMode, data, now })
    await queueSurplusMail(mail, tx, { payment, link, incomingPayment: row }, now)
  }
}
