// The maximum number of payments in a link's form: unlimited, once, or a number.

type Uses = { uses: string; maxPayments: string }

export function parseMaxPayments({ uses, maxPayments }: Uses) {
  if (uses === 'once') return 1
  return uses === 'limited' ? Number(maxPayments) : null
}

export function toUsesValue(maxPayments: number | null) {
  if (maxPayments === null) return 'unlimited'
  return maxPayments === 1 ? 'once' : 'limited'
}

export function isPaymentCount(typed: string) {
  return /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= 100_000
}
