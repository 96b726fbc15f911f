import { z } from 'zod'
import { emailField } from '../../customers/contact.ts'
import { taxIdField } from '../../customers/schema.ts'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { defaultField, describeField, optionalField } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { CARD_SCENARIOS } from '../../providers/sandbox/outcomes.ts'
import { simulationTexts } from './texts.ts'

const payer = z
  .strictObject({
    name: describeField(textField({ min: 3, max: 120 }), 'Nome completo.', 'Maria Silva'),
    email: describeField(emailField, 'Endereço de e-mail.', 'maria@example.com.br'),
    taxId: taxIdField.meta({
      description: 'CPF ou CNPJ, com ou sem pontuação.',
      examples: ['529.982.247-25'],
    }),
  })
  .transform((given) => ({ ...given, phone: null }))

/** `pending` is a Pix that is not paid yet. */
export const SCENARIOS = ['pending', ...CARD_SCENARIOS] as const

export const SimulatedPayment = z
  .strictObject({
    method: optionalField(z.enum(PAYMENT_METHODS)).describe(
      'Padrão: a primeira do link que combina com `scenario` e `installments`.',
    ),
    installments: describeField(
      defaultField(z.int().min(1).max(MAX_INSTALLMENTS), 1),
      'Em quantas parcelas; mais de uma, só com cartão.',
      1,
    ),
    scenario: defaultField(z.enum(SCENARIOS), 'ok').describe(
      'O que acontece. Para Pix, `ok` (pago na hora) ou `pending` (um código que espera); para cartão, qualquer um que não `pending`.',
    ),
    payer: optionalField(payer).describe(
      'Quem paga; se ausente, uma pessoa inventada. Um link feito para um cliente é pago por ele: com outro documento, 422.',
    ),
  })
  .meta({ id: 'SimulatedPayment', examples: [{ method: 'pix' }] })

export type SimulatedPayment = z.output<typeof SimulatedPayment>

export const SimulatedAnswer = z
  .strictObject({
    outcome: defaultField(
      z.enum(['approve', 'decline'], simulationTexts.outcome),
      'approve',
    ).describe(
      'O que o pagador responde ao banco que pede confirmação da compra; um Pix só pode ser pago.',
    ),
  })
  .meta({ id: 'SimulatedAnswer', examples: [{ outcome: 'approve' }] })
