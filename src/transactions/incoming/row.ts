// A Pix that came in as it is written, as the bank tells of it or, where nobody has asked the bank, as the
// payment's own row does.

import { newId } from '../../database/id.ts'
import type { incomingPayments } from '../../database/tables.ts'
import type { ReceivedPix } from '../../providers/provider.ts'
import type { TransactionRow } from '../transaction.ts'

export type IncomingPaymentRow = typeof incomingPayments.$inferSelect

export function buildRow(
  { id: transactionId, companyId, provider, payerTaxId }: TransactionRow,
  { endToEndId, amountCents, paidAt, reportedPaidAt, payer }: ReceivedPix,
  surplusCents: number,
  now: Date,
): IncomingPaymentRow {
  const at = now.toISOString()
  // Of somebody who was anonymized meanwhile nobody's name is kept.
  const known = payerTaxId === null ? undefined : payer
  return {
    id: newId(),
    ...{ companyId, transactionId, provider, endToEndId, amountCents, surplusCents },
    ...{ paidAt, reportedPaidAt: reportedPaidAt ?? null },
    // What went back of it has a row of its own, and is counted with that.
    refundedCents: 0,
    payerName: known?.name ?? null,
    payerTaxId: known?.taxId ?? null,
    createdAt: at,
    updatedAt: at,
  }
}

/** As the migration writes it of payments that are older than these rows. */
export function buildRowOfPayment(payment: TransactionRow, now: Date): IncomingPaymentRow {
  const { id, companyId, provider, totalCents, providerReference } = payment
  const amountCents = (payment.approvedAt === null && payment.receivedCents) || totalCents
  return {
    ...{ id, companyId, transactionId: id, provider, amountCents },
    endToEndId: payment.pixEndToEndId ?? providerReference ?? id,
    surplusCents: Math.max(0, amountCents - totalCents),
    refundedCents: 0,
    paidAt: payment.approvedAt ?? payment.updatedAt,
    reportedPaidAt: null,
    ...{ payerName: null, payerTaxId: null },
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}
