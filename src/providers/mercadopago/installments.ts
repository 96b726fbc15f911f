// What installments cost with a card of Mercado Pago's: its own rows, by the card's first digits. Which
// kind of card that is, it says too: its list of payment methods has the ranges.
import { z } from 'zod'
import { decimal } from '../br-code.ts'
import type { ProviderQuote } from '../provider.ts'
import type { Client } from './client.ts'

const MAX_INSTALLMENTS = 12
const REMEMBERED_MS = 3_600_000

const Settings = z.object({
  bin: z
    .object({ pattern: z.string().nullish(), exclusion_pattern: z.string().nullish() })
    .nullish(),
})
const Methods = z.array(
  z.object({
    id: z.string(),
    payment_type_id: z.string().nullish(),
    status: z.string().nullish(),
    // One in the description, a list in what is answered.
    settings: z
      .union([z.array(Settings), Settings.transform((one) => [one])])
      .nullish()
      .catch([]),
  }),
)
const Plans = z.array(
  z.object({
    payment_type_id: z.string().nullish(),
    payer_costs: z.array(
      z.object({
        installments: z.int(),
        installment_amount: z.number(),
        total_amount: z.number(),
      }),
    ),
  }),
)

/** Remembers the list of methods for an hour. */
export function mercadoPagoQuotes(client: Client) {
  let known: { methods: z.output<typeof Methods>; until: number } | undefined

  return async ({ bin, amountCents }: { bin: string; amountCents: number }) => {
    const method = (await creditCards()).find((one) => isOf(one, bin))
    if (!method) return []
    const { status, body } = await client.get('/v1/payment_methods/installments', {
      payment_method_id: method.id,
      amount: decimal(amountCents),
      bin,
    })
    if (status !== 200) throw new Error(`Mercado Pago quotes nothing: ${status}`)
    return rowsOf(Plans.parse(body), amountCents)
  }

  async function creditCards() {
    if (known && performance.now() < known.until) return known.methods
    const { status, body } = await client.get('/v1/payment_methods')
    if (status !== 200) throw new Error(`Mercado Pago lists no payment methods: ${status}`)
    const methods = Methods.parse(body).filter(
      (one) => one.payment_type_id === 'credit_card' && one.status === 'active',
    )
    known = { methods, until: performance.now() + REMEMBERED_MS }
    return methods
  }
}

function isOf({ settings }: z.output<typeof Methods>[number], bin: string) {
  return settings?.some(({ bin: range }) => {
    const { pattern, exclusion_pattern: except } = range ?? {}
    return pattern && matches(pattern, bin) && !(except && matches(except, bin))
  })
}

function matches(pattern: string, bin: string) {
  try {
    return new RegExp(pattern).test(bin)
  } catch {
    return false
  }
}

function rowsOf(plans: z.output<typeof Plans>, amountCents: number): ProviderQuote[] {
  const plan = plans.find((one) => (one.payment_type_id ?? 'credit_card') === 'credit_card')
  const rows = plan?.payer_costs ?? []
  return rows
    .map((row) => ({
      installments: row.installments,
      installmentCents: Math.round(row.installment_amount * 100),
      totalCents: Math.round(row.total_amount * 100),
    }))
    .filter(({ installments: n, totalCents }) => {
      return n >= 1 && n <= MAX_INSTALLMENTS && totalCents >= amountCents
    })
    .sort((one, other) => one.installments - other.installments)
}
