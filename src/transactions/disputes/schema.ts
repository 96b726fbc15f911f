import { z } from 'zod'
import { DISPUTE_KINDS, DISPUTE_STATUSES } from '../../database/enums.ts'
import { instantField, instantFilterField } from '../../http/fields.ts'

export const Dispute = z
  .object({
    id: z.uuid(),
    transactionId: z.uuid(),
    kind: z.enum(DISPUTE_KINDS).meta({
      description: "`med`: a Pix, contested with the payer's bank; `card`: with the card's issuer.",
    }),
    status: z.enum(DISPUTE_STATUSES).meta({
      description: '`won`: the money stays with you; `lost`: it went back to the payer.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: "The provider's own word for it.",
        examples: ['MED_FRAUDE'],
      }),
    amountCents: z.int(),
    openedAt: instantField,
    closedAt: instantField.nullable(),
    respondBy: instantField.nullable().meta({
      description: 'Until when evidence may be sent to the provider, where it says so.',
    }),
    testMode: z.boolean(),
    createdAt: instantField,
    updatedAt: instantField,
  })
  .meta({ id: 'Dispute' })

export type Dispute = z.output<typeof Dispute>

export const DisputeFilters = z.strictObject({
  status: z.enum(DISPUTE_STATUSES).optional(),
  kind: z.enum(DISPUTE_KINDS).optional(),
  transactionId: z.uuid().optional(),
  createdFrom: instantFilterField.optional(),
  createdTo: instantFilterField.optional(),
})

export type DisputeFilters = z.output<typeof DisputeFilters>
