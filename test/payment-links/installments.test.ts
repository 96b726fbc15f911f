import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteInstallments, quotePix } from '../../src/payment-links/installments.ts'
import {
  MAX_AMOUNT_CENTS,
  MAX_PIX_DISCOUNT_BPS,
  MIN_AMOUNT_CENTS,
} from '../../src/payment-links/schema.ts'

const VECTORS = new URL('./installments-price-2.99.json', import.meta.url)

const terms = {
  amountCents: 10_000,
  methods: ['credit_card'] as const,
  maxInstallments: 12,
  interestMode: 'pass_to_customer' as const,
  interestRateBps: 299,
  interestFreeUpTo: 1,
  minInstallmentCents: 0,
}

function counts(quotes: { installments: number }[]) {
  return quotes.map(({ installments }) => installments)
}

test.each([
  // amount, count, each installment, total
  [1_000, 2, 523, 1_046],
  [1_990, 3, 703, 2_109],
  [10_000, 2, 5_225, 10_450],
  [10_000, 3, 3_535, 10_605],
  [10_000, 12, 1_004, 12_048],
  [12_345, 6, 2_278, 13_668],
  [20_000_000, 12, 2_008_042, 24_096_504],
])(
  '%i cents in %i installments at 299 basis points a month come to %i each, %i in all',
  (amountCents, n, part, totalCents) => {
    const quote = quoteInstallments({ ...terms, amountCents })[n - 1]

    expect(quote).toEqual({
      installments: n,
      installmentCents: part,
      firstInstallmentCents: part,
      totalCents,
      interestCents: totalCents - amountCents,
      rateBps: 299,
    })
  },
)

test.each([
  // amount, count, first installment, each other one
  [10_000, 3, 3_334, 3_333],
  [10_000, 4, 2_500, 2_500],
  [1_990, 12, 175, 165],
  [20_000_000, 12, 1_666_674, 1_666_666],
])(
  'where the company bears the interest %i cents in %i start with %i, then %i',
  (amountCents, n, first, other) => {
    const quote = quoteInstallments({ ...terms, amountCents, interestMode: 'absorb' })[n - 1]

    expect(quote).toEqual({
      installments: n,
      installmentCents: other,
      firstInstallmentCents: first,
      totalCents: amountCents,
      interestCents: 0,
      rateBps: 0,
    })
    expect(first + other * (n - 1)).toBe(amountCents)
  },
)

type Row = {
  n: number
  installmentCents: number
  totalCents: number
  interestCents: number
  absorb: { firstCents: number; otherCents: number; totalCents: number }
}

describe('the published vectors', () => {
  const { cases }: { cases: { amountCents: number; rows: Row[] }[] } = JSON.parse(
    readFileSync(VECTORS, 'utf8'),
  )

  test('there are five amounts of twelve rows', () => {
    expect(cases.map(({ rows }) => rows.length)).toEqual([12, 12, 12, 12, 12])
  })

  test.each(cases)('$amountCents cents, with interest and without', ({ amountCents, rows }) => {
    const passed = quoteInstallments({ ...terms, amountCents })
    const absorbed = quoteInstallments({ ...terms, amountCents, interestMode: 'absorb' })

    expect(passed).toMatchObject(
      rows.map(({ n, absorb: _, ...row }) => ({ installments: n, ...row })),
    )
    expect(absorbed).toMatchObject(
      rows.map(({ n, absorb }) => ({
        installments: n,
        firstInstallmentCents: absorb.firstCents,
        installmentCents: absorb.otherCents,
        totalCents: absorb.totalCents,
      })),
    )
  })
})

test('every amount and rate agrees with the formula of Tabela Price to half a cent', () => {
  for (const amountCents of [1_000, 1_001, 4_999, 33_333, 999_999, 20_000_000]) {
    for (const interestRateBps of [50, 100, 299, 550, 1_500]) {
      const i = interestRateBps / 10_000
      for (const { installments: n, ...quote } of quoteInstallments({
        ...terms,
        amountCents,
        interestRateBps,
      }).slice(1)) {
        const exact = (amountCents * i) / (1 - (1 + i) ** -n)
        expect(Math.abs(quote.installmentCents - exact)).toBeLessThanOrEqual(0.500_001)
        expect(quote.totalCents).toBe(quote.installmentCents * n)
        expect(quote.interestCents).toBeGreaterThanOrEqual(0)
      }
    }
  }
})

test('one installment bears no interest', () => {
  const [once] = quoteInstallments(terms)

  expect(once).toMatchObject({ installments: 1, totalCents: 10_000, interestCents: 0, rateBps: 0 })
})

test('an installment under R$ 5,00 is not offered, one of exactly R$ 5,00 is', () => {
  const minimum = { ...terms, interestMode: 'absorb' as const, minInstallmentCents: 500 }

  const even = quoteInstallments({ ...minimum, amountCents: 1_500 })
  const uneven = quoteInstallments({ ...minimum, amountCents: 1_499 })

  expect(counts(even)).toEqual([1, 2, 3])
  expect(counts(uneven)).toEqual([1, 2])
})

test('paying at once is offered however high the minimum installment', () => {
  const quotes = quoteInstallments({ ...terms, amountCents: 1_000, minInstallmentCents: 50_000 })

  expect(counts(quotes)).toEqual([1])
})

test('no more counts are offered than the link allows', () => {
  for (const maxInstallments of [1, 2, 11, 12]) {
    expect(quoteInstallments({ ...terms, maxInstallments })).toHaveLength(maxInstallments)
  }
})

test('a link that takes only Pix is paid at once', () => {
  const quotes = quoteInstallments({ ...terms, methods: ['pix'] })

  expect(counts(quotes)).toEqual([1])
})

test('the interest of the first counts may be the company’s, and the first after them bears all of it', () => {
  const quotes = quoteInstallments({ ...terms, interestFreeUpTo: 3 })

  expect(quotes.map(({ rateBps }) => rateBps)).toEqual([0, 0, 0, ...Array(9).fill(299)])
  expect(quotes[2]).toMatchObject({ totalCents: 10_000, firstInstallmentCents: 3_334 })
  expect(quotes[3]).toEqual(quoteInstallments(terms)[3])
})

test('a rate of zero is no interest', () => {
  const quotes = quoteInstallments({ ...terms, interestRateBps: 0 })

  expect(quotes.every(({ totalCents }) => totalCents === 10_000)).toBe(true)
})

test('a rate so low that rounding eats it is no interest, never less than the price', () => {
  const quotes = [1, 2, 5, 9].flatMap((interestRateBps) =>
    quoteInstallments({ ...terms, amountCents: 12_345, interestRateBps }),
  )

  expect(quotes.filter(({ interestCents }) => interestCents < 0)).toEqual([])
  expect(quotes.filter(({ totalCents }) => totalCents < 12_345)).toEqual([])
})

test.each([
  // price, the link's discount, the company's, what is taken off, what is paid
  [10_000, null, 500, 500, 9_500],
  [10_000, 0, 500, 0, 10_000],
  [10_000, 750, 0, 750, 9_250],
  [1_990, 500, 0, 100, 1_890],
  [1_001, 5_000, 0, 501, 500],
  [1_234, 1, 0, 0, 1_234],
])(
  'of %i cents, %s basis points of the link and %i of its company take %i off a Pix, which costs %i',
  (amountCents, pixDiscountBps, ofCompany, discountCents, totalCents) => {
    const quote = quotePix({ amountCents, pixDiscountBps }, { pixDiscountBps: ofCompany })

    expect(quote).toMatchObject({ discountCents, totalCents, interestCents: 0, installments: 1 })
  },
)

test('a discount and what is paid are the price, to the nearest cent, and never less than R$ 5,00', () => {
  const price = fc.integer({ min: MIN_AMOUNT_CENTS, max: MAX_AMOUNT_CENTS })
  const discount = fc.integer({ min: 0, max: MAX_PIX_DISCOUNT_BPS })

  fc.assert(
    fc.property(price, discount, (amountCents, pixDiscountBps) => {
      const quote = quotePix({ amountCents, pixDiscountBps }, { pixDiscountBps: 1 })
      const { discountCents, totalCents, installmentCents, firstInstallmentCents } = quote
      const tenThousandths = discountCents * 10_000 - amountCents * pixDiscountBps

      expect(discountCents + totalCents).toBe(amountCents)
      expect([installmentCents, firstInstallmentCents]).toEqual([totalCents, totalCents])
      expect(tenThousandths > -5_000 && tenThousandths <= 5_000).toBe(true)
      expect(totalCents).toBeGreaterThanOrEqual(500)
    }),
  )
})
