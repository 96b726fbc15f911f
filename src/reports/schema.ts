import { z } from 'zod'
import { buildFieldRule } from '../http/fields.ts'
import { isDay } from './days.ts'
import { REVENUE_GROUPS } from './reports.ts'
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
    description: 'The first day, in São Paulo.',
    format: 'date',
    examples: ['2026-11-01'],
  }),
  to: dayField.meta({
    description: 'The last day, in São Paulo; 366 days at most.',
    format: 'date',
    examples: ['2026-11-30'],
  }),
  groupBy: z
    .enum(REVENUE_GROUPS)
    .default('day')
    .meta({ description: 'Weeks begin on Monday.', default: 'day' }),
})

const sums = {
  paymentsCount: z.int().meta({ description: 'Payments approved.' }),
  grossCents: z.int().meta({ description: 'What payers paid.', examples: [1990] }),
  refundedCents: z.int().meta({ description: 'What went back, by refund or by a bank.' }),
  netCents: z.int().meta({ description: 'What is left.', examples: [1990] }),
}

export const RevenueReport = z
  .object({
    from: z.string().meta({ description: 'The first day.', examples: ['2026-11-01'] }),
    to: z.string().meta({ description: 'The last day.', examples: ['2026-11-30'] }),
    groupBy: z.enum(REVENUE_GROUPS).meta({ description: 'What the rows stand for.' }),
    data: z.array(
      z.object({
        key: z
          .string()
          .nullable()
          .meta({
            description:
              'A day, the Monday of a week, a month (`2026-11`), a method, a tag or the id of a link; `null` for what has no tag, and for all beyond the 200 that brought most.',
            examples: ['2026-11-21'],
          }),
        label: z.string().meta({ description: 'How the dashboard calls it.' }),
        ...sums,
      }),
    ),
    total: z.object(sums).meta({
      description: 'Of the payments: one with two tags stands in two rows, and here once.',
    }),
  })
  .meta({ id: 'RevenueReport', description: 'What came in during some days.' })
