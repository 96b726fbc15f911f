import { z } from 'zod'
import { buildFieldRule, testModeField } from '../http/fields.ts'
import { isDay } from './days.ts'
import { REPORT_KINDS } from './reports.ts'
import { reportTexts } from './texts.ts'

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
    .describe('Pagamentos aprovados, também os que depois voltaram ou se perderam.'),
  grossCents: z.int().meta({ description: 'O que os pagadores pagaram.', examples: [1990] }),
  refundedCents: z.int().describe('O que voltou, por devolução ou por um banco.'),
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
