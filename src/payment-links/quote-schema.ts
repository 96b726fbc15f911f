import { z } from 'zod'
import { describeField } from '../http/fields.ts'

export const Installments = z
  .object({
    data: z
      .array(
        z.object({
          installments: describeField(z.int(), 'Em quantas parcelas.', 1),
          installmentCents: describeField(z.int(), 'O valor de cada uma, em centavos.', 1990),
          firstInstallmentCents: describeField(
            z.int(),
            'Difere das outras quando o preço não se divide por igual.',
            1990,
          ),
          totalCents: describeField(z.int(), 'O que o pagador paga: preço e juros.', 1990),
          interestCents: z.int().describe('Juros por conta do pagador, em centavos.'),
          interestRateBps: z.int().describe('Ao mês, em centésimos de por cento.'),
          text: describeField(z.string(), 'Como o pagador a lê.', '1x de R$ 19,90 à vista'),
        }),
      )
      .describe('Uma linha para cada número de parcelas.'),
  })
  .meta({ id: 'Installments' })
