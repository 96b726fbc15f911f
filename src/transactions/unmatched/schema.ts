import { z } from 'zod'
import type { unmatchedPayments } from '../../database/tables.ts'
import { maskTaxId } from '../../format.ts'
import {
  createdAtField,
  describeField,
  idField,
  instantField,
  testModeField,
  toResource,
} from '../../http/fields.ts'
import { PixInstitution, serializeInstitution } from '../../providers/received.ts'

export type UnmatchedRow = typeof unmatchedPayments.$inferSelect

export const UnmatchedPayment = z
  .object({
    id: idField,
    endToEndId: describeField(
      z.string(),
      'O id da transferência.',
      'E18236120202611211405s0a1b2c3d4',
    ),
    txid: describeField(z.string().nullable(), 'O que o banco disse; `null` quando nada.', null),
    amountCents: z.int().meta({ description: 'O que entrou, em centavos.', examples: [1990] }),
    refundedCents: z.int().describe('O que já voltou dele, por quem quer que seja.'),
    status: z
      .enum(['unmatched', 'matched', 'returning', 'returned'])
      .describe('`returning`: a devolução foi pedida, e o banco ainda não a confirmou.'),
    transactionId: z.uuid().nullable().describe('A transação com que foi casado.'),
    paidAt: instantField.describe('Quando entrou.'),
    payerName: describeField(
      z.string().nullable(),
      'Quem pagou, como o banco informa.',
      'Maria Silva',
    ),
    payerTaxId: describeField(z.string().nullable(), 'CPF ou CNPJ, mascarado.', '***.982.247-**'),
    institution: PixInstitution.nullable().describe('A instituição que recebeu o Pix.'),
    testMode: testModeField,
    createdAt: createdAtField,
  })
  .meta({ id: 'UnmatchedPayment' })

export type UnmatchedPayment = z.output<typeof UnmatchedPayment>

export const UnmatchedQuery = z.strictObject({
  unmatched: z.literal('true').default('true').meta({
    description: 'Os Pix que entraram sem cobrança e ainda não têm fim; não há outros aqui.',
    default: 'true',
  }),
})

export const MatchBody = z
  .strictObject({
    transactionId: z
      .uuid()
      .describe('O pagamento, em aberto, expirado ou cancelado, a que este Pix pertence.'),
  })
  .meta({ examples: [{ transactionId: '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17' }] })

export function serializeUnmatched(row: UnmatchedRow, testMode: boolean): UnmatchedPayment {
  const payerTaxId = row.payerTaxId && maskTaxId(row.payerTaxId)
  const institution = row.institution && serializeInstitution(row.institution)
  return toResource(UnmatchedPayment, {
    ...row,
    status: getUnmatchedStatus(row),
    payerTaxId,
    institution,
    testMode,
  })
}

/** The part that was not refunded. */
export function getUnmatchedLeft({
  amountCents,
  refundedCents,
}: Pick<UnmatchedRow, 'amountCents' | 'refundedCents'>) {
  return amountCents - refundedCents
}

export function getUnmatchedStatus({ transactionId, refundRequestedAt, ...row }: UnmatchedRow) {
  if (transactionId !== null) return 'matched'
  if (getUnmatchedLeft(row) === 0) return 'returned'
  return refundRequestedAt === null ? 'unmatched' : 'returning'
}
