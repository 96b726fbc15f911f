import { z } from 'zod'
import { INTEREST_MODES, LINK_STATUSES, PAYMENT_METHODS } from '../database/enums.ts'
import {
  buildFieldRule,
  echoedField,
  instantField,
  instantFilterField,
  instantWithOffsetField,
  storableInstantField,
  toRecord,
} from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { texts } from '../texts.ts'
import { CustomFieldResource, newCustomFields } from './custom-fields.ts'
import { isRedirectUrl } from './redirect-url.ts'
import { statementDescriptorField } from './statement-descriptor.ts'
import { linkTexts } from './texts.ts'

export const MIN_AMOUNT_CENTS = 1_000
export const MAX_AMOUNT_CENTS = 20_000_000
export const MAX_INSTALLMENTS = 12
const MAX_METADATA_BYTES = 12_000

const requiredOr = (message: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? texts.fields.required : message,
})

const amountCents = z
  .int(requiredOr(linkTexts.cents))
  .min(MIN_AMOUNT_CENTS, linkTexts.minAmount(MIN_AMOUNT_CENTS))
  .max(MAX_AMOUNT_CENTS, linkTexts.maxAmount(MAX_AMOUNT_CENTS))
  .meta({ description: 'Price in cents.', examples: [1990] })

const methods = z
  .array(z.enum(PAYMENT_METHODS))
  .min(1)
  .max(PAYMENT_METHODS.length)
  .refine(
    (list) => new Set(list).size === list.length,
    buildFieldRule('repeated', texts.fields.repeated),
  )

const installments = z
  .int(linkTexts.installments)
  .min(1, linkTexts.installments)
  .max(MAX_INSTALLMENTS, linkTexts.installments)

const redirectUrl = z
  .string()
  .max(2048, texts.fields.tooLong(2048))
  .refine(isRedirectUrl, buildFieldRule('invalid_url', linkTexts.redirectUrl))
  .meta({ format: 'uri' })

const tags = z
  .array(textField({ min: 1, max: 50 }))
  .max(20)
  .overwrite((list) => [...new Set(list)])

const metadataKey = textField({ min: 1, max: 40 })
const metadataValue = textField({ max: 500 })

export const Metadata = z
  .record(metadataKey, metadataValue)
  .refine(
    (pairs) => Object.keys(pairs).length <= 20,
    buildFieldRule('too_big', linkTexts.metadataTooMany),
  )
  // Twenty pairs of the longest ASCII fit; a webhook that carries them stays under 20 kB.
  .refine(
    (pairs) => Buffer.byteLength(JSON.stringify(pairs)) <= MAX_METADATA_BYTES,
    buildFieldRule('too_big', linkTexts.metadataTooBig),
  )

const fields = {
  title: textField({ min: 1, max: 128 }),
  description: textField({ max: 2048, lines: true }).nullish(),
  priceMode: z.literal('fixed'),
  amountCents,
  methods,
  maxInstallments: installments.optional(),
  interestMode: z.enum(INTEREST_MODES).optional(),
  status: z.enum(['active', 'inactive']),
  threeDsMode: z.literal('always'),
  tags,
  redirectUrl: redirectUrl.nullish(),
  linkedCustomerId: z.uuid().nullish(),
  maxPayments: z.int().min(1).max(100_000).nullish(),
  externalReference: textField({ max: 64 }).nullish(),
  metadata: Metadata,
  inactiveMessage: textField({ max: 500, lines: true }).nullish(),
  customFields: newCustomFields.nullish(),
  successMessage: textField({ max: 500, lines: true }).nullish(),
  statementDescriptor: statementDescriptorField.nullish(),
}

const echoedLinkFields = {
  id: echoedField,
  slug: echoedField,
  url: echoedField,
  imageUrl: echoedField,
  createdAt: echoedField,
  updatedAt: echoedField,
  testMode: echoedField,
  paymentsCount: echoedField,
  amountReceivedCents: echoedField,
}

/** How far ahead it may lie is judged when the link is made (findExpiryErrors). */
const newExpiry = instantWithOffsetField().overwrite((value) => new Date(value).toISOString())

export const NewPaymentLink = z
  .strictObject({
    ...fields,
    priceMode: fields.priceMode.default('fixed'),
    status: fields.status.default('active'),
    threeDsMode: fields.threeDsMode.default('always'),
    tags: tags.default([]),
    metadata: Metadata.default({}),
    expiresAt: newExpiry.nullish(),
    ...echoedLinkFields,
  })
  .refine(installmentsFitMethods, {
    ...buildFieldRule('invalid_installments', linkTexts.pixOnce),
    path: ['maxInstallments'],
    // Also when other fields are wrong: all errors of one request come back together.
    when: () => true,
  })
  .meta({
    id: 'NewPaymentLink',
    examples: [
      { title: 'Bolo de cenoura', priceMode: 'fixed', amountCents: 1990, methods: ['pix'] },
    ],
  })

export type NewPaymentLink = z.output<typeof NewPaymentLink>

/** Judged against the link it changes: an expiry that has passed may be echoed, not set. */
const changedExpiry = storableInstantField().overwrite((value) => new Date(value).toISOString())

/** Any field of a new link. Those left out stay as they are; null empties one that may be empty. */
export const PaymentLinkChanges = z
  .strictObject({
    ...fields,
    metadata: z.record(metadataKey, metadataValue.nullable()).meta({
      description: 'Its pairs join those that the link has; `null` takes a pair out.',
      examples: [{ pedido: '1042', canal: null }],
    }),
    expiresAt: changedExpiry.nullish(),
    ...echoedLinkFields,
  })
  .partial()
  .refine(installmentsFitMethods, {
    ...buildFieldRule('invalid_installments', linkTexts.pixOnce),
    path: ['maxInstallments'],
    when: () => true,
  })
  .meta({ id: 'PaymentLinkChanges', examples: [{ amountCents: 2490, status: 'inactive' }] })

export type PaymentLinkChanges = z.output<typeof PaymentLinkChanges>

function installmentsFitMethods(input: unknown) {
  const { methods, maxInstallments } = toRecord(input)
  if (!Array.isArray(methods) || typeof maxInstallments !== 'number') return true
  return (
    maxInstallments <= 1 ||
    maxInstallments > MAX_INSTALLMENTS ||
    methods.includes('credit_card') ||
    !methods.includes('pix')
  )
}

export const PaymentLink = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    url: z.string().meta({ description: "The checkout's full address.", format: 'uri' }),
    title: z.string(),
    description: z.string().optional(),
    priceMode: z.literal('fixed'),
    amountCents: z.int(),
    methods: z.array(z.enum(PAYMENT_METHODS)),
    maxInstallments: z.int(),
    interestMode: z.enum(INTEREST_MODES),
    status: z.enum(LINK_STATUSES),
    threeDsMode: z.literal('always'),
    testMode: z.boolean(),
    tags: z.array(z.string()),
    redirectUrl: z.string().nullable(),
    linkedCustomerId: z.string().nullable(),
    expiresAt: instantField.nullable(),
    maxPayments: z.int().nullable(),
    externalReference: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    inactiveMessage: z.string().nullable(),
    customFields: z.array(CustomFieldResource),
    imageUrl: z.string().nullable(),
    successMessage: z.string().nullable(),
    statementDescriptor: z.string().nullable(),
    createdAt: instantField,
    updatedAt: instantField,
  })
  .meta({ id: 'PaymentLink' })

export type PaymentLink = z.output<typeof PaymentLink>

export const PaymentLinkWithTotals = PaymentLink.extend({
  paymentsCount: z.int().meta({ description: 'Payments approved so far.' }),
  amountReceivedCents: z.int().meta({ description: 'What they brought, refunds taken off.' }),
}).meta({ id: 'PaymentLinkWithTotals' })

const label = textField({ min: 1, max: 50 })

/** `tag=a&tag=b` */
const tagFilter = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(z.string())
      .max(20)
      .superRefine((list, context) => {
        const wrong = list.map((tag) => label.safeParse(tag)).find(({ error }) => error)
        for (const { path: _, ...issue } of wrong?.error?.issues ?? []) {
          context.addIssue({ ...issue, path: [] })
        }
      }),
  )
  .transform((list) => [...new Set(list.map((tag) => label.parse(tag)))])
  .optional()
  .meta({ description: 'Links that have all of these labels.' })

export const LinkFilters = z.strictObject({
  status: z.enum(LINK_STATUSES).optional(),
  tag: tagFilter,
  method: z.enum(PAYMENT_METHODS).optional(),
  q: textField({ min: 1, max: 128 }).optional().meta({
    description:
      'Part of the title, whatever its case and accents; or the whole slug or externalReference.',
  }),
  externalReference: textField({ min: 1, max: 64 }).optional(),
  metadata: z
    .record(metadataKey, metadataValue)
    .optional()
    .meta({ description: 'All of these pairs: `metadata[pedido]=1042`.', examples: [{}] }),
  createdFrom: instantFilterField.optional(),
  createdTo: instantFilterField.optional(),
})

export type LinkFilters = z.output<typeof LinkFilters>
