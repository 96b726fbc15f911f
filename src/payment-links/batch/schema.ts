import { z } from 'zod'
import { PaymentLink } from '../schema.ts'
import { MAX_BATCH_LINKS } from './create.ts'

export const NewPaymentLinkBatch = z
  .strictObject({
    // Each is judged by itself, so that what is wrong with one refuses no other (create.ts).
    paymentLinks: z
      .array(z.unknown().meta({ $ref: '#/components/schemas/NewPaymentLinkInput' }))
      .min(1)
      .max(MAX_BATCH_LINKS)
      .meta({ description: 'Each as it is sent to `POST /payment-links`.' }),
  })
  .meta({
    id: 'NewPaymentLinkBatch',
    examples: [
      {
        paymentLinks: [
          { title: 'Mensalidade de maio, Ana', amountCents: 45000, methods: ['pix'] },
          { title: 'Mensalidade de maio, Bia', amountCents: 48000, methods: ['pix'] },
        ],
      },
    ],
  })

const CreatedLink = z
  .object({ status: z.literal(201), paymentLink: PaymentLink })
  .meta({ id: 'CreatedPaymentLink', description: 'The link was made.' })

const RefusedLink = z
  .object({
    status: z.literal(422),
    code: z.string(),
    message: z.string(),
    errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
  })
  .meta({ id: 'RefusedPaymentLink', description: 'What `POST /payment-links` would refuse it by.' })

export const PaymentLinkBatch = z
  .object({
    data: z
      .array(z.discriminatedUnion('status', [CreatedLink, RefusedLink]))
      .meta({ description: 'One for each link that was sent, in the same order.' }),
    created: z.int().meta({ description: 'How many were made.', examples: [1] }),
    refused: z.int().meta({ description: 'How many were not.', examples: [0] }),
  })
  .meta({ id: 'PaymentLinkBatch' })

export type PaymentLinkBatch = z.output<typeof PaymentLinkBatch>
