import { z } from 'zod'
import type { incomingPayments } from '../../database/tables.ts'
import { maskTaxId } from '../../format.ts'
import { describeField, idField, instantField, toResource } from '../../http/fields.ts'

export const IncomingPayment = z
  .object({
    id: idField,
    endToEndId: describeField(
      z.string(),
      'O id da transferência; o do próprio provedor quando ele não o informa, e o da cobrança de um cartão.',
      'E18236120202611211405s0a1b2c3d4',
    ),
    amountCents: z.int().meta({ description: 'O que entrou, em centavos.', examples: [1990] }),
    surplusCents: z
      .int()
      .describe('O que passou da venda. Volta antes de qualquer parte da venda.'),
    refundedCents: z
      .int()
      .describe(
        'O que foi devolvido dele, pela API, pelo painel ou no banco; o que uma contestação tomou está em `disputes`.',
      ),
    paidAt: instantField.describe('Quando entrou.'),
    payerName: describeField(
      z.string().nullable(),
      'Quem pagou, como o banco informa.',
      'Maria Silva',
    ),
    payerTaxId: describeField(z.string().nullable(), 'CPF ou CNPJ, mascarado.', '***.982.247-**'),
  })
  .meta({ id: 'IncomingPayment' })

export type IncomingPayment = z.output<typeof IncomingPayment>

export type IncomingPaymentRow = typeof incomingPayments.$inferSelect

export function serializeIncomingPayment(row: IncomingPaymentRow): IncomingPayment {
  const { payerTaxId } = row
  return toResource(IncomingPayment, { ...row, payerTaxId: payerTaxId && maskTaxId(payerTaxId) })
}
