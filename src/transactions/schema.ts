import { z } from 'zod'
import {
  DECLINE_CODES,
  INTEREST_MODES,
  PAYMENT_METHODS,
  TRANSACTION_STATUSES,
} from '../database/enums.ts'
import { instantField, instantFilterField } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { LinkFilters } from '../payment-links/schema.ts'

const AnswerResource = z
  .object({
    key: z.string().meta({ description: 'Of the field that asked.', examples: ['tamanho'] }),
    label: z.string().meta({ description: 'As the payer read it.' }),
    value: z.string().meta({
      description: 'In words; a number as `1234.56`, a day as `2026-12-31`.',
      examples: ['M'],
    }),
  })
  .meta({ id: 'CustomFieldAnswer', description: 'What was answered.' })

export const TransactionResource = z
  .object({
    id: z.uuid(),
    paymentLinkId: z.uuid(),
    paymentLinkSlug: z.string(),
    status: z.enum(TRANSACTION_STATUSES),
    method: z.enum(PAYMENT_METHODS),
    amountCents: z.int().meta({ description: "The link's price when it was quoted." }),
    interestCents: z.int(),
    totalCents: z.int().meta({ description: 'What the payer pays: amountCents + interestCents.' }),
    refundedCents: z.int(),
    chargedBackCents: z.int(),
    currency: z.literal('BRL'),
    installments: z.int(),
    installmentCents: z.int(),
    interestMode: z.enum(INTEREST_MODES),
    interestRateBps: z.int(),
    card: z
      .object({ brand: z.string(), last4: z.string(), holderName: z.string().nullable() })
      .nullable(),
    pix: z
      .object({
        txid: z.string(),
        endToEndId: z.string().nullable(),
        brCode: z.string().nullable(),
        expiresAt: instantField.nullable(),
      })
      .nullable(),
    threeDs: z
      .object({ status: z.string(), eci: z.string().nullable(), flow: z.string() })
      .nullable(),
    declineCode: z.enum(DECLINE_CODES).nullable(),
    declineMessage: z.string().nullable(),
    customer: z.object({
      id: z.uuid(),
      name: z.string(),
      email: z.string().nullable(),
      taxId: z.string().nullable().meta({ description: 'Masked.' }),
    }),
    paidLate: z.boolean(),
    holdReason: z.string().nullable(),
    externalReference: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    tags: z.array(z.string()),
    customFields: z.array(AnswerResource).meta({
      description: 'What the payer answered; empty where nothing was, or the payer was forgotten.',
    }),
    ref: z
      .string()
      .nullable()
      .meta({
        description: "What the checkout's address said when the payer opened it: `?ref=`.",
        examples: ['campanha-natal'],
      }),
    receiptUrl: z.string(),
    createdAt: instantField,
    approvedAt: instantField.nullable(),
    expiresAt: instantField.nullable(),
    updatedAt: instantField,
    testMode: z.boolean(),
  })
  .meta({ id: 'Transaction' })

export type TransactionResource = z.output<typeof TransactionResource>

export const TransactionFilters = z.strictObject({
  status: z.enum(TRANSACTION_STATUSES).optional(),
  method: z.enum(PAYMENT_METHODS).optional(),
  paymentLinkId: z.uuid().optional(),
  customerId: z.uuid().optional(),
  tag: LinkFilters.shape.tag.meta({ description: 'Transactions that have all of these labels.' }),
  externalReference: textField({ min: 1, max: 64 }).optional(),
  metadata: LinkFilters.shape.metadata,
  createdFrom: instantFilterField
    .optional()
    .meta({ description: 'Created at or after this instant.' }),
  createdTo: instantFilterField
    .optional()
    .meta({ description: 'Created at or before this instant.' }),
  from: instantFilterField.optional().meta({ description: 'Another name of `createdFrom`.' }),
  to: instantFilterField.optional().meta({ description: 'Another name of `createdTo`.' }),
  approvedFrom: instantFilterField.optional().meta({
    description: 'Approved at or after this instant: the list is in the order of the approvals.',
  }),
  approvedTo: instantFilterField
    .optional()
    .meta({ description: 'Approved at or before this instant.' }),
  updatedFrom: instantFilterField.optional().meta({
    description:
      'Changed at or after this instant: the list is in the order of the changes. A payment that changes meanwhile is of a later period.',
  }),
  updatedTo: instantFilterField
    .optional()
    .meta({ description: 'Changed for the last time at or before this instant.' }),
})

export type TransactionFilters = z.output<typeof TransactionFilters>
