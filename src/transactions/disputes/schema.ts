import { z } from 'zod'
import { DISPUTE_KINDS, DISPUTE_STATUSES } from '../../database/enums.ts'
import type { disputes } from '../../database/tables.ts'
import {
  createdAtField,
  createdFromField,
  createdToField,
  describeField,
  idField,
  instantField,
  testModeField,
  toResource,
  updatedAtField,
} from '../../http/fields.ts'

export const Dispute = z
  .object({
    id: idField,
    transactionId: z.uuid().describe('O pagamento em questão.'),
    kind: z
      .enum(DISPUTE_KINDS)
      .describe(
        '`med`: um Pix, contestado com o banco do pagador; `card`: com o emissor do cartão.',
      ),
    status: z
      .enum(DISPUTE_STATUSES)
      .describe('`won`: o dinheiro fica com você; `lost`: voltou ao pagador.'),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'A palavra do próprio provedor.',
        examples: ['MED_FRAUDE'],
      }),
    amountCents: describeField(z.int(), 'Quanto é contestado, em centavos.', 1990),
    openedAt: instantField.describe('Quando o pagador contestou.'),
    closedAt: instantField.nullable().describe('Quando foi decidida; `null` enquanto está aberta.'),
    respondBy: instantField
      .nullable()
      .describe('Até quando se podem mandar provas ao provedor, quando ele diz.'),
    testMode: testModeField,
    createdAt: createdAtField,
    updatedAt: updatedAtField,
  })
  .meta({ id: 'Dispute' })

export type Dispute = z.output<typeof Dispute>

export const DisputeFilters = z.strictObject({
  status: z.enum(DISPUTE_STATUSES).optional().describe('Em que situação está.'),
  kind: z
    .enum(DISPUTE_KINDS)
    .optional()
    .describe('`med`: um Pix, contestado com o banco do pagador; `card`: com o emissor do cartão.'),
  transactionId: z.uuid().optional().describe('O pagamento em questão.'),
  createdFrom: createdFromField,
  createdTo: createdToField,
})

export type DisputeFilters = z.output<typeof DisputeFilters>

export type DisputeRow = typeof disputes.$inferSelect

export function serializeDispute(row: DisputeRow, testMode: boolean): Dispute {
  return toResource(Dispute, { ...row, testMode })
}
