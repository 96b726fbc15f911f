import { z } from 'zod'
import { Problem } from '../../http/errors.ts'
import { PaymentLink } from '../schema.ts'
import { MAX_BATCH_LINKS } from './create.ts'

export const NewPaymentLinkBatch = z
  .strictObject({
    // Each link is validated on its own, so that an error in one does not refuse the others (create.ts).
    paymentLinks: z
      .array(z.unknown().meta({ $ref: '#/components/schemas/NewPaymentLink' }))
      .min(1)
      .max(MAX_BATCH_LINKS)
      .meta({ description: 'Cada um como é enviado a `POST /payment-links`.' }),
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
  .object({
    status: z.literal(201).describe('Criado.'),
    paymentLink: PaymentLink,
  })
  .meta({ id: 'CreatedPaymentLink', description: 'O link que foi criado.' })

const { code, type, message, errors } = Problem.shape
const RefusedLink = z
  .object({
    status: z.literal(422).describe('Recusado.'),
    code: code.unwrap(),
    type,
    message,
    errors: errors.unwrap().describe('Tudo o que está errado, um item por problema.'),
  })
  .meta({
    id: 'RefusedPaymentLink',
    description: 'O motivo por que `POST /payment-links` o recusaria.',
  })

export const PaymentLinkBatch = z
  .object({
    data: z
      .array(z.discriminatedUnion('status', [CreatedLink, RefusedLink]))
      .meta({ description: 'Um para cada link enviado, na mesma ordem.' }),
    created: z.int().meta({ description: 'Quantos foram criados.', examples: [1] }),
    refused: z.int().meta({ description: 'Quantos não foram.', examples: [0] }),
  })
  .meta({ id: 'PaymentLinkBatch' })

export type PaymentLinkBatch = z.output<typeof PaymentLinkBatch>
