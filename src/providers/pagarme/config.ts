// The configuration of an account at Pagar.me, and the host that serves it.
import { z } from 'zod'
import { pagarmeTexts } from './texts.ts'

const SECRET_KEY_PATTERN = /^sk_[\w-]{8,250}$/
const TEST_PREFIX = 'sk_test_'
const LIVE_URL = 'https://api.pagar.me/core/v5'
const TEST_URL = 'https://sdx-api.pagar.me/core/v5'

export const pagarmeConfig = z.strictObject({
  /** "Chave secreta". A key of the test environment begins with sk_test_. */
  secretKey: z.string().trim().regex(SECRET_KEY_PATTERN, pagarmeTexts.key),
  /** Another address of the same API; by default Pagar.me's own for the key's environment. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .optional(),
})

export type PagarmeConfig = z.output<typeof pagarmeConfig>

export function isTestKey(secretKey: string) {
  return secretKey.startsWith(TEST_PREFIX)
}

export function getPagarmeUrl({ baseUrl, secretKey }: PagarmeConfig) {
  return (baseUrl ?? (isTestKey(secretKey) ? TEST_URL : LIVE_URL)).replace(/\/+$/, '')
}
