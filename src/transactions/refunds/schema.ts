import { z } from 'zod'
import { REFUND_STATUSES } from '../../database/enums.ts'
import {
  createdAtField,
  describeField,
  idField,
  testModeField,
  toResource,
  updatedAtField,
} from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { Dispute } from '../disputes/schema.ts'
import { IncomingPayment } from '../incoming/schema.ts'
import { MAX_AMOUNT_CENTS, TransactionResource } from '../schema.ts'
import type { RefundRow } from '../transaction.ts'
import { refundTexts } from './texts.ts'

const MAX_REASON_LENGTH = 140

export const NewRefund = z
  .strictObject({
    amountCents: z
      .int(refundTexts.amount)
      .min(1, refundTexts.amount)
      .max(MAX_AMOUNT_CENTS, { error: () => linkTexts.maxAmount(MAX_AMOUNT_CENTS) })
      // Never null: NaN becomes null in JSON, and would refund everything.
      .optional()
      .meta({ description: 'Em centavos; sem ele, tudo o que resta.', examples: [500] }),
    incomingPaymentId: z
      .uuid()
      .toLowerCase()
      .optional()
      .describe(
        'Só deste Pix, ou desta cobrança do cartão; o excedente dele, quando não há `amountCents` e ele tem um. Sem este campo: de qualquer um, o excedente primeiro.',
      ),
    reason: textField({ max: MAX_REASON_LENGTH })
      .nullish()
      .meta({ description: 'Para o seu controle.', examples: ['Produto devolvido'] }),
  })
  .meta({ id: 'NewRefund', examples: [{ amountCents: 500, reason: 'Produto devolvido' }] })

export const Refund = z
  .object({
    id: idField,
    transactionId: z.uuid().describe('O pagamento em questão.'),
    amountCents: describeField(z.int(), 'Quanto volta, em centavos.', 500),
    status: describeField(
      z.enum(REFUND_STATUSES),
      '`pending` até o provedor dizer como terminou.',
      'succeeded',
    ),
    reason: describeField(z.string().nullable(), 'Para o seu controle.', 'Produto devolvido'),
    failureReason: z.string().nullable().describe('Por que nada foi devolvido.'),
    testMode: testModeField,
    createdAt: createdAtField,
    updatedAt: updatedAtField,
  })
  .meta({ id: 'Refund' })

export type Refund = z.output<typeof Refund>

export const TransactionWithRefunds = TransactionResource.extend({
  incomingPayments: describeField(
    z.array(IncomingPayment),
    'Cada Pix que entrou, do mais antigo ao mais novo; de um cartão, cada cobrança, só quando foi pago mais de uma vez.',
    [],
  ),
  refunds: z.array(Refund).describe('Os últimos 100, do mais novo ao mais antigo.'),
  disputes: describeField(z.array(Dispute), 'As primeiras 100, da mais antiga à mais nova.', []),
}).meta({ id: 'TransactionWithRefunds' })

export function serializeRefund(row: RefundRow, testMode: boolean): Refund {
  const failureReason = row.failureReason && refundTexts.failures[row.failureReason]
  return toResource(Refund, { ...row, failureReason, testMode })
}
