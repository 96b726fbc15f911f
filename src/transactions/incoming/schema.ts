import { z } from 'zod'
import { instantField } from '../../http/fields.ts'

export const IncomingPayment = z
  .object({
    id: z.uuid(),
    endToEndId: z.string(),
    amountCents: z.int().meta({ description: 'What came in, in cents.', examples: [1990] }),
    surplusCents: z.int(),
    refundedCents: z.int().meta({ description: 'What went back of it so far, by whomever.' }),
    paidAt: instantField,
    payerName: z.string().nullable(),
    payerTaxId: z.string().nullable(),
  })
  .meta({ id: 'IncomingPayment' })

export type IncomingPayment = z.output<typeof IncomingPayment>
