// Quotes installments with Mercado Pago's own prices, by the first digits of the card. Its list of payment methods says
// which kind of card that is.

import { z } from 'zod'
import { HOUR_MS } from '../../database/instant.ts'
import { formatDecimal } from '../br-code.ts'
import type { JsonClient } from '../json-client.ts'
import type { ProviderQuote } from '../provider.ts'

const MAX_QUOTED_INSTALLMENTS = 12
const METHODS_CACHE_MS = HOUR_MS
/** A payer waits for the quotes. Without an answer the payer can still pay, and these calls change nothing. */
const QUOTE_LIMIT_MS = 3_000

const BinSettings = z.object({
  bin: z
    .object({ pattern: z.string().nullish(), exclusion_pattern: z.string().nullish() })
    .nullish(),
})
const PaymentMethods = z.array(
  z.object({
    id: z.string(),
    payment_type_id: z.string().nullish(),
    status: z.string().nullish(),
    // The documentation shows one, but answers have a list.
    settings: z
      .union([z.array(BinSettings), BinSettings.transform((one) => [one])])
      .nullish()
      .catch([]),
  }),
)
const InstallmentPlans = z.array(
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

/** Keeps the list of methods for an hour. */
export function createQuoteFetcher(client: JsonClient) {
  let known: { methods: z.output<typeof PaymentMethods>; until: number } | undefined

  return async ({ bin, amountCents }: { bin: string; amountCents: number }) => {
    const method = (await listCreditCards()).find((one) => coversBin(one, bin))
    if (!method) return []
    const query = { payment_method_id: method.id, amount: formatDecimal(amountCents), bin }
    const path = '/v1/payment_methods/installments'
    const { status, body } = await client.get(path, query, QUOTE_LIMIT_MS)
    if (status !== 200) throw new Error(`Mercado Pago quotes nothing: ${status}`)
    return toProviderQuotes(InstallmentPlans.parse(body), amountCents)
  }

  async function listCreditCards() {
    if (known && performance.now() < known.until) return known.methods
    const { status, body } = await client.get('/v1/payment_methods', undefined, QUOTE_LIMIT_MS)
    if (status !== 200) throw new Error(`Mercado Pago lists no payment methods: ${status}`)
    const methods = PaymentMethods.parse(body).filter(
      (one) => one.payment_type_id === 'credit_card' && one.status === 'active',
    )
    known = { methods, until: performance.now() + METHODS_CACHE_MS }
    return methods
  }
}

function coversBin({ settings }: z.output<typeof PaymentMethods>[number], bin: string) {
  return settings?.some(({ bin: range }) => {
    const { pattern, exclusion_pattern: except } = range ?? {}
    return pattern && matchesPattern(pattern, bin) && !(except && matchesPattern(except, bin))
  })
}

function matchesPattern(pattern: string, bin: string) {
  try {
    return new RegExp(pattern).test(bin)
  } catch {
    return false
  }
}

function toProviderQuotes(
  plans: z.output<typeof InstallmentPlans>,
  amountCents: number,
): ProviderQuote[] {
  const plan = plans.find((one) => (one.payment_type_id ?? 'credit_card') === 'credit_card')
  const rows = plan?.payer_costs ?? []
  return rows
    .map((row) => ({
      installments: row.installments,
      installmentCents: Math.round(row.installment_amount * 100),
      totalCents: Math.round(row.total_amount * 100),
    }))
    .filter(({ installments: n, totalCents }) => {
      return n >= 1 && n <= MAX_QUOTED_INSTALLMENTS && totalCents >= amountCents
    })
    .sort((one, other) => one.installments - other.installments)
}
