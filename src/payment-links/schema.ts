import { z } from 'zod'
import { INTEREST_MODES, LINK_STATUSES, PAYMENT_METHODS } from '../database/enums.ts'
import {
  blankableField,
  buildFieldRule,
  createdAtField,
  createdFromField,
  createdToField,
  defaultField,
  describeField,
  echoedField,
  echoedNullableField,
  idField,
  instantField,
  instantWithOffsetField,
  optionalField,
  storableInstantField,
  testModeField,
  toRecord,
  updatedAtField,
} from '../http/fields.ts'
import { removeHidden, removePastedMarks, textField } from '../http/text.ts'
import { texts } from '../texts.ts'
import { CustomFieldResource, newCustomFields } from './custom-fields.ts'
import { notes } from './field-notes.ts'
import { Metadata, MetadataChanges, metadataValue, pairsField } from './metadata.ts'
import { PLAIN_TEXTS, plainTextInputs, plainTextOutputs } from './plain-texts.ts'
import { Prefill } from './prefill.ts'
import { LinkRecipient } from './sending/schema.ts'
import { linkTexts } from './texts.ts'

/** Returns the name of an address for people: its host, or an app's scheme. */
export function getRedirectName({ protocol, host }: URL) {
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

export const MIN_AMOUNT_CENTS = 1_000
export const MAX_AMOUNT_CENTS = 20_000_000
export const MAX_INSTALLMENTS = 12
export const MAX_REMINDER_DAYS = 30
export const MAX_PIX_DISCOUNT_BPS = 5_000

const requiredOr = (message: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? texts.fields.required : message,
})

const amountCents = z
  .int(requiredOr(linkTexts.cents))
  .min(MIN_AMOUNT_CENTS, { error: () => linkTexts.minAmount(MIN_AMOUNT_CENTS) })
  .max(MAX_AMOUNT_CENTS, { error: () => linkTexts.maxAmount(MAX_AMOUNT_CENTS) })
  .meta(notes.amountCents)

const methods = z
  .array(z.enum(PAYMENT_METHODS))
  .min(1)
  .max(PAYMENT_METHODS.length)
  .refine(
    (list) => new Set(list).size === list.length,
    buildFieldRule('repeated', texts.fields.repeated),
  )
  .meta(notes.methods)

const installments = z
  .int(linkTexts.installments)
  .min(1, linkTexts.installments)
  .max(MAX_INSTALLMENTS, linkTexts.installments)

const label = textField({ min: 1, max: 50, clean: removeHidden })

const tags = z
  .array(label)
  .overwrite((list) => [...new Set(list)])
  .max(20)
  .meta(notes.tags)

const fields = {
  title: textField({ min: 1, max: 128, clean: removePastedMarks }).meta(notes.title),
  priceMode: z.literal('fixed').meta(notes.priceMode),
  amountCents,
  methods,
  maxInstallments: optionalField(installments.meta(notes.maxInstallments)),
  interestMode: optionalField(z.enum(INTEREST_MODES).meta(notes.interestMode)),
  interestFreeInstallments: installments.nullish().meta(notes.interestFreeInstallments),
  pixDiscountBps: z
    .int(linkTexts.pixDiscount)
    .min(0, linkTexts.pixDiscount)
    .max(MAX_PIX_DISCOUNT_BPS, linkTexts.pixDiscount)
    .nullish()
    .meta(notes.pixDiscountBps),
  status: z.enum(['active', 'inactive']).describe('Se pode ser pago.'),
  threeDsMode: z.literal('always').meta(notes.threeDsMode),
  tags,
  linkedCustomerId: blankableField(z.uuid().toLowerCase().meta(notes.linkedCustomerId)),
  maxPayments: z.int().min(1).max(100_000).nullish().meta(notes.maxPayments),
  remindEveryDays: z.int().min(1).max(MAX_REMINDER_DAYS).nullish().meta(notes.remindEveryDays),
  customFields: newCustomFields.nullish(),
  ...plainTextInputs,
}

export const echoedLinkFields = {
  id: echoedField,
  slug: echoedField,
  url: echoedField,
  imageUrl: echoedNullableField,
  createdAt: echoedField,
  updatedAt: echoedField,
  testMode: echoedField,
  prefilledUrl: echoedField,
  paymentsCount: echoedField,
  amountReceivedCents: echoedField,
  recipients: echoedField,
}

/** The limit on how far ahead it may be is checked when the link is created (findExpiryErrors). */
const newExpiry = instantWithOffsetField().overwrite((value) => new Date(value).toISOString())

export const NewPaymentLink = z
  .strictObject({
    ...fields,
    priceMode: defaultField(fields.priceMode, 'fixed'),
    status: defaultField(fields.status, 'active'),
    threeDsMode: defaultField(fields.threeDsMode, 'always'),
    tags: defaultField(tags, []),
    metadata: defaultField(Metadata, {}),
    expiresAt: blankableField(newExpiry.meta(notes.expiresAt)),
    prefill: optionalField(Prefill.meta(notes.prefill)),
    ...echoedLinkFields,
  })
  .refine(installmentsFitMethods, {
    ...buildFieldRule('invalid_installments', linkTexts.pixOnce),
    path: ['maxInstallments'],
    // Runs even when other fields are wrong, so that one answer has all errors.
    when: () => true,
  })
  .refine(isForOnePayer, {
    ...buildFieldRule('invalid_prefill', linkTexts.prefill),
    path: ['prefill'],
    when: () => true,
  })
  .meta({
    id: 'NewPaymentLink',
    examples: [{ title: 'Bolo de cenoura', amountCents: 1990, methods: ['pix'] }],
  })

export type NewPaymentLink = z.output<typeof NewPaymentLink>

/** Checked against the link that it changes: a past expiry may be repeated, but not set. */
const changedExpiry = storableInstantField().overwrite((value) => new Date(value).toISOString())

/**
 * Any field of a new link. Absent fields stay as they are. Null empties an optional field, counts as absent for a field
 * with a default, and is refused for a required field.
 */
export const PaymentLinkChanges = z
  .strictObject({
    ...fields,
    title: fields.title.optional(),
    priceMode: optionalField(fields.priceMode),
    amountCents: amountCents.optional(),
    methods: methods.optional(),
    status: optionalField(fields.status),
    threeDsMode: optionalField(fields.threeDsMode),
    tags: optionalField(tags),
    metadata: optionalField(MetadataChanges),
    expiresAt: blankableField(changedExpiry.meta(notes.expiresAt)),
    ...echoedLinkFields,
  })
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

function isForOnePayer(input: unknown) {
  const { prefill, maxPayments } = toRecord(input)
  return prefill === undefined || prefill === null || maxPayments === 1
}

export const PaymentLink = z
  .object({
    id: idField,
    slug: z.string().meta(notes.slug),
    url: z.string().meta(notes.url),
    prefilledUrl: z.string().optional().meta(notes.prefilledUrl),
    title: z.string().meta(notes.title),
    ...plainTextOutputs,
    /** The contract leaves it out when there is none. */
    description: z.string().optional().meta(PLAIN_TEXTS.description.note),
    priceMode: z.enum(['fixed']).meta(notes.priceMode),
    amountCents: z.int().meta(notes.amountCents),
    methods: z.array(z.enum(PAYMENT_METHODS)).meta(notes.methods),
    maxInstallments: z.int().meta(notes.maxInstallments),
    interestMode: z.enum(INTEREST_MODES).meta(notes.interestMode),
    interestFreeInstallments: z.int().nullable().meta(notes.interestFreeInstallments),
    pixDiscountBps: z.int().nullable().meta(notes.pixDiscountBps),
    status: z.enum(LINK_STATUSES).meta(notes.status),
    threeDsMode: z.enum(['always']).meta(notes.threeDsMode),
    testMode: testModeField,
    tags: z.array(z.string()).meta(notes.tags),
    linkedCustomerId: z.string().nullable().meta(notes.linkedCustomerId),
    expiresAt: instantField.nullable().meta(notes.expiresAt),
    maxPayments: z.int().nullable().meta(notes.maxPayments),
    remindEveryDays: z.int().nullable().meta(notes.remindEveryDays),
    metadata: z.record(z.string(), z.string()).meta(notes.metadata),
    customFields: z.array(CustomFieldResource).meta(notes.customFields),
    imageUrl: z.string().nullable().meta(notes.imageUrl),
    createdAt: createdAtField,
    updatedAt: updatedAtField,
  })
  .meta({ id: 'PaymentLink' })

export type PaymentLink = z.output<typeof PaymentLink>

export const PaymentLinkWithTotals = PaymentLink.extend({
  paymentsCount: z.int().meta(notes.paymentsCount),
  amountReceivedCents: z.int().meta(notes.amountReceivedCents),
  recipients: z.array(LinkRecipient).meta(notes.recipients),
}).meta({ id: 'PaymentLinkWithTotals' })

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
  .describe('Links que têm todas estas etiquetas. Pode ser repetido.')

export const LinkFilters = z.strictObject({
  status: z.enum(LINK_STATUSES).optional().describe('Em que situação está.'),
  tag: tagFilter,
  method: z.enum(PAYMENT_METHODS).optional().describe('A forma de pagamento.'),
  q: textField({ min: 1, max: 128 })
    .optional()
    .describe(
      'Parte do título, sem diferença de maiúsculas e acentos; ou o slug ou a externalReference por inteiro.',
    ),
  externalReference: textField({ min: 1, max: 64 })
    .optional()
    .describe('O seu nome para isto, como o número de um pedido. Não precisa ser único.'),
  metadata: pairsField(metadataValue, linkTexts.metadataParameter)
    .optional()
    .meta({ description: 'Todos estes pares: `metadata[pedido]=1042`.', examples: [{}] }),
  createdFrom: createdFromField,
  createdTo: createdToField,
})

export type LinkFilters = z.output<typeof LinkFilters>

export const Installments = z
  .object({
    data: z
      .array(
        z.object({
          installments: describeField(z.int(), 'Em quantas parcelas.', 1),
          installmentCents: describeField(z.int(), 'O valor de cada uma, em centavos.', 1990),
          firstInstallmentCents: describeField(
            z.int(),
            'Difere das outras quando o preço não se divide por igual.',
            1990,
          ),
          totalCents: describeField(z.int(), 'O que o pagador paga: preço e juros.', 1990),
          interestCents: z.int().describe('Juros por conta do pagador, em centavos.'),
          interestRateBps: z.int().describe('Ao mês, em centésimos de por cento.'),
          text: describeField(z.string(), 'Como o pagador a lê.', '1x de R$ 19,90 à vista'),
        }),
      )
      .describe(
        'Uma linha para cada número de parcelas; vazia para um link que não aceita cartão.',
      ),
    pix: z
      .object({
        totalCents: describeField(z.int(), 'O que o pagador paga: o preço menos o desconto.', 1891),
        discountCents: describeField(z.int(), 'O desconto, em centavos.', 99),
        discountBps: describeField(z.int(), 'O desconto em centésimos de por cento.', 500),
        text: describeField(
          z.string(),
          'O mesmo, em palavras.',
          'R$ 18,91 no Pix (5% de desconto)',
        ),
      })
      .nullable()
      .describe('Quanto custa no Pix; `null` para um link que não o aceita.'),
  })
  .meta({ id: 'Installments' })
