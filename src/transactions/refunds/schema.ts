import { z } from 'zod'
import { REFUND_STATUSES } from '../../database/enums.ts'
import { instantField } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { Dispute } from '../disputes/schema.ts'
import { IncomingPayment } from '../incoming/schema.ts'
import { TransactionResource } from '../schema.ts'
import { refundTexts } from './texts.ts'

const MAX_REASON_LENGTH = 140
/** The biggest total there can be: the biggest link in 12 installments, with room for any rate. */
const MAX_REFUND_CENTS = 2_000_000_000

export const NewRefund = z
  .strictObject({
    amountCents: z
      .int(refundTexts.amount)
      .min(1, refundTexts.amount)
      .max(MAX_REFUND_CENTS)
      .nullish()
      .meta({ description: 'In cents; all that is left when absent.', examples: [500] }),
    incomingPaymentId: z.uuid().nullish().meta({
      description:
        'Only of this Pix; its surplus when `amountCents` is absent and it has one. Absent: of any, surplus first.',
    }),
    reason: textField({ max: MAX_REASON_LENGTH })
      .nullish()
      .meta({ description: 'For your own records.', examples: ['Produto devolvido'] }),
  })
  .meta({ id: 'NewRefund', examples: [{ amountCents: 500, reason: 'Produto devolvido' }] })

export const Refund = z
  .object({
    id: z.uuid(),
    transactionId: z.uuid(),
    amountCents: z.int(),
    status: z.enum(REFUND_STATUSES).meta({
      description: '`pending` until the provider has said how it ended.',
    }),
    reason: z.string().nullable(),
    failureReason: z.string().nullable().meta({ description: 'Why nothing was given back.' }),
    testMode: z.boolean(),
    createdAt: instantField,
    updatedAt: instantField,
  })
  .meta({ id: 'Refund' })

export type Refund = z.output<typeof Refund>

export const TransactionWithRefunds = TransactionResource.extend({
  incomingPayments: z.array(IncomingPayment),
  refunds: z.array(Refund).meta({ description: 'The last 100, newest first.' }),
  disputes: z.array(Dispute).meta({ description: 'The first 100, oldest first.' }),
}).meta({ id: 'TransactionWithRefunds' })
