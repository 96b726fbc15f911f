import { z } from 'zod'
import { EMAIL_PATTERN } from '../../customers/contact.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import { customerTexts } from '../../customers/texts.ts'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { buildFieldRule } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { CARD_SCENARIOS } from '../../providers/sandbox/cards.ts'
import { texts } from '../../texts.ts'
import { simulationTexts } from './texts.ts'

const DEFAULT_PAYER = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  taxId: '52998224725',
  phone: null,
}

const payer = z
  .strictObject({
    name: textField({ min: 3, max: 120 }),
    email: textField({ max: 254 }).regex(EMAIL_PATTERN, customerTexts.email),
    taxId: z
      .string()
      .refine(
        (value) => parseTaxId(value) !== undefined,
        buildFieldRule('invalid_tax_id', texts.fields.taxId),
      )
      .overwrite((value) => parseTaxId(value) ?? value)
      .meta({
        description: 'CPF or CNPJ, with or without punctuation.',
        examples: ['529.982.247-25'],
      }),
  })
  .transform((given) => ({ ...given, phone: null }))

/** `pending` is a Pix that nobody has paid yet. */
export const SCENARIOS = ['pending', ...CARD_SCENARIOS] as const

export const SimulatedPayment = z
  .strictObject({
    method: z
      .enum(PAYMENT_METHODS)
      .optional()
      .meta({ description: 'Default: the first of the link.' }),
    installments: z.int().min(1).max(MAX_INSTALLMENTS).default(1),
    scenario: z.enum(SCENARIOS).default('ok').meta({
      description:
        'What comes of it. For Pix `ok` (paid at once) or `pending` (a code that waits); for cards any but `pending`.',
    }),
    payer: payer
      .default(DEFAULT_PAYER)
      .meta({ description: 'Who pays; an invented person when absent.' }),
  })
  .meta({ id: 'SimulatedPayment', examples: [{ method: 'pix' }] })

export type SimulatedPayment = z.output<typeof SimulatedPayment>

export const SimulatedAnswer = z
  .strictObject({
    outcome: z.enum(['approve', 'decline'], simulationTexts.outcome).default('approve').meta({
      description: 'What the payer answers the bank that asks to confirm a card purchase.',
    }),
  })
  .meta({ id: 'SimulatedAnswer', examples: [{ outcome: 'approve' }] })
