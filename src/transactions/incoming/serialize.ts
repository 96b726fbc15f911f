// How a Pix that came in looks to a company: in the API's answers and in webhooks.

import { maskTaxId } from '../../format.ts'
import type { IncomingPaymentRow } from './row.ts'
import type { IncomingPayment } from './schema.ts'

export function serializeIncomingPayment(row: IncomingPaymentRow): IncomingPayment {
  const { id, endToEndId, amountCents, surplusCents, refundedCents, paidAt } = row
  const { payerName, payerTaxId } = row
  return {
    ...{ id, endToEndId, amountCents, surplusCents, refundedCents, paidAt, payerName },
    payerTaxId: payerTaxId && maskTaxId(payerTaxId),
  }
}
