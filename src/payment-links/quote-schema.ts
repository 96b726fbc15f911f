import { z } from 'zod'

export const Installments = z
  .object({
    data: z.array(
      z.object({
        installments: z.int(),
        installmentCents: z.int(),
        firstInstallmentCents: z.int().meta({
          description: 'Differs from the others where the price does not divide evenly.',
        }),
        totalCents: z.int(),
        interestCents: z.int(),
        interestRateBps: z.int().meta({ description: 'Monthly, in basis points.' }),
        text: z.string().meta({ description: 'As the payer reads it, in Portuguese.' }),
      }),
    ),
  })
  .meta({ id: 'Installments' })
