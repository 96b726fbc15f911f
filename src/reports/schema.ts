import { z } from 'zod'
import { Customer } from '../customers/schema.ts'
import { MOVEMENT_KINDS, PAYMENT_METHODS } from '../database/enums.ts'
import { buildFieldRule, idField, instantField, testModeField } from '../http/fields.ts'
import { buildPageSchema, InstantPageQuery } from '../http/pagination.ts'
import { PixInstitution } from '../providers/received.ts'
import { parseMonth } from './closing.ts'
import { isDay } from './days.ts'
import { REPORT_KINDS } from './reports.ts'
import { closingTexts, reportTexts } from './texts.ts'

const DAY_OF_THIS_CENTURY = /^20\d\d-/

const dayField = z
  .string()
  .refine(
    (text) => isDay(text) && DAY_OF_THIS_CENTURY.test(text),
    buildFieldRule('invalid_date', reportTexts.isoDay),
  )

export const RevenueQuery = z.strictObject({
  from: dayField.meta({
    description: 'O primeiro dia, em São Paulo.',
    format: 'date',
    examples: ['2026-11-01'],
  }),
  to: dayField.meta({
    description: 'O último dia, em São Paulo; no máximo 366 dias.',
    format: 'date',
    examples: ['2026-11-30'],
  }),
  groupBy: z
    .enum(REPORT_KINDS)
    .default('day')
    .meta({ description: 'Semanas começam na segunda-feira.', default: 'day' }),
})

const sums = {
  paymentsCount: z
    .int()
    .describe('Pagamentos que entraram nestes dias, também os que depois voltaram ou se perderam.'),
  grossCents: z.int().meta({ description: 'O que os pagadores pagaram.', examples: [1990] }),
  refundedCents: z
    .int()
    .describe(
      'O que voltou nestes dias, por devolução ou por um banco, seja de quando for o pagamento.',
    ),
  afterRefundsCents: z.int().meta({
    description: 'O que ficou antes das tarifas: grossCents - refundedCents.',
    examples: [1990],
  }),
  feeCents: z
    .int()
    .nullable()
    .meta({
      description:
        'As tarifas dos provedores; `null`, como netCents, onde a de algum dos pagamentos não se conhece.',
      examples: [99],
    }),
  netCents: z
    .int()
    .nullable()
    .meta({ description: 'O líquido: afterRefundsCents - feeCents.', examples: [1891] }),
  withoutFeeCount: z.int().describe('Pagamentos de que a tarifa não se conhece.'),
}

export const RevenueReport = z
  .object({
    from: z.string().meta({ description: 'O primeiro dia.', examples: ['2026-11-01'] }),
    to: z.string().meta({ description: 'O último dia.', examples: ['2026-11-30'] }),
    groupBy: z.enum(REPORT_KINDS).describe('O que as linhas representam.'),
    data: z
      .array(
        z.object({
          key: z
            .string()
            .nullable()
            .meta({
              description:
                'Um dia, a segunda-feira de uma semana, um mês (`2026-11`), uma forma de pagamento, uma etiqueta ou o id de um link; `null` para o que não tem etiqueta e para tudo além dos 200 que mais trouxeram, sem o que voltou.',
              examples: ['2026-11-21'],
            }),
          label: z.string().describe('Como o painel o chama.'),
          ...sums,
        }),
      )
      .describe('Uma linha para cada grupo.'),
    total: z
      .object(sums)
      .describe('Dos pagamentos: um com duas etiquetas está em duas linhas, e aqui uma vez.'),
    testMode: testModeField,
  })
  .meta({ id: 'RevenueReport', description: 'O que entrou em alguns dias.' })

export const ClosingQuery = InstantPageQuery.extend({
  month: z
    .string()
    .refine(
      (text) => parseMonth(text) !== undefined,
      buildFieldRule('invalid_date', closingTexts.month),
    )
    .meta({ description: 'O mês, em São Paulo.', examples: ['2026-10'] }),
}).strict()

const closingSums = {
  ...sums,
  lostCents: z
    .int()
    .describe(
      'Do que voltou, o que se perdeu em contestações; negativo onde mais foi ganho depois.',
    ),
  surplusCents: z
    .int()
    .describe('O que entrou além das vendas, menos o que disso voltou; fora das outras somas.'),
}

const centsOfLine = (description: string, example: number) =>
  z.int().meta({ description, examples: [example] })

export const ClosingLineResource = z
  .object({
    id: idField,
    kind: z.enum(MOVEMENT_KINDS).meta({
      description:
        'O que se moveu: `sale` uma venda, `fee` uma tarifa informada depois, `refund` uma devolução, `dispute` uma contestação perdida, `dispute_won` o que voltou dela, `surplus` o que entrou a mais e `surplus_refund` a devolução disso.',
      examples: ['sale'],
    }),
    day: z.string().meta({
      description:
        'O dia em que conta, em São Paulo: o de `movedAt` ou, se o mês já tinha fechado, o dia em que se soube.',
      format: 'date',
      examples: ['2026-11-21'],
    }),
    movedAt: instantField.describe('Quando o dinheiro se moveu.'),
    transactionId: idField,
    paymentLinkId: idField,
    method: z.enum(PAYMENT_METHODS).describe('A forma de pagamento.'),
    installments: z.int().meta({ description: 'Em quantas parcelas foi pago.', examples: [1] }),
    linkTitle: z.string().describe('O que foi vendido.'),
    externalReference: z.string().nullable().describe('A sua referência.'),
    tags: z.array(z.string()).describe('As etiquetas do pagamento.'),
    payerName: z.string().describe('Quem pagou.'),
    payerTaxId: Customer.shape.taxId,
    payerForeignDocument: Customer.shape.foreignDocument,
    payerEmail: z.string().nullable().describe('O e-mail de quem pagou.'),
    customFields: z
      .array(
        z.object({
          key: z.string().describe('O nome do campo.'),
          label: z.string().describe('A pergunta.'),
          value: z.string().describe('A resposta.'),
        }),
      )
      .describe('O que o pagador respondeu.'),
    priceCents: centsOfLine('O preço, numa venda.', 1990),
    interestCents: centsOfLine('Os juros das parcelas, numa venda.', 0),
    discountCents: centsOfLine('O desconto de um Pix, numa venda.', 0),
    totalCents: centsOfLine(
      'O que entrou, numa venda priceCents + interestCents - discountCents; negativo o que saiu.',
      1990,
    ),
    feeCents: z.int().nullable().describe('A tarifa; `null` numa venda de que não se conhece.'),
    netCents: z.int().nullable().describe('totalCents - feeCents.'),
    surplusCents: centsOfLine('O que entrou a mais, ou voltou disso; fora de totalCents.', 0),
    pixTxid: z.string().nullable().describe('O txid da cobrança, de um Pix.'),
    endToEndId: z.string().nullable().describe('O id do Pix.'),
    providerReference: z.string().nullable().describe('O id do pagamento no provedor.'),
    institution: PixInstitution.nullable().describe('A instituição que recebeu o Pix.'),
  })
  .meta({ id: 'ClosingLine', description: 'Um movimento de dinheiro.' })

export const ClosingReport = buildPageSchema(ClosingLineResource)
  .extend({
    month: z.string().meta({ description: 'O mês.', examples: ['2026-10'] }),
    total: z.object(closingSums).describe('As somas do mês inteiro, não da página.'),
    byMethod: z
      .object({
        pix: z.object(closingSums).describe('De Pix.'),
        credit_card: z.object(closingSums).describe('De cartão.'),
      })
      .describe('As mesmas, de cada forma de pagamento.'),
    testMode: testModeField,
  })
  .meta({ id: 'ClosingReport', description: 'O fechamento de um mês.' })
