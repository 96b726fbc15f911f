// The configuration of an account at Malga, and the host that serves it.
import { z } from 'zod'
import { LIABILITY_SHIFTS } from '../provider.ts'
import { malgaTexts } from './texts.ts'

const PRODUCTION_URL = 'https://api.malga.io'
const SANDBOX_URL = 'https://sandbox-api.malga.io'
const KEY_PATTERN = /^[\w.-]{16,256}$/

export const malgaConfig = z.strictObject({
  /** `X-Client-Id`; payers' browsers learn it too. */
  clientId: z.string().trim().regex(KEY_PATTERN, malgaTexts.key),
  /** `X-Api-Key`. */
  apiKey: z.string().trim().regex(KEY_PATTERN, malgaTexts.key),
  /** The sub-account that charges are made for: it holds the company's contract with its acquirers. */
  merchantId: z.string().trim().pipe(z.uuid(malgaTexts.merchantId)),
  /** Whether a card is approved only where its bank bears fraud. 3-D Secure is asked for either way. */
  liabilityShift: z.enum(LIABILITY_SHIFTS).default('required'),
  /** The account is one of Malga's sandbox: payments are tests. */
  test: z.boolean().default(false),
  /** Another address of the same API; else Malga's own. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .optional(),
})

/** The fields that are never shown again. */
export const malgaSecrets = ['apiKey'] as const

export type MalgaConfig = z.output<typeof malgaConfig>

export function getMalgaUrl({ baseUrl, test }: Pick<MalgaConfig, 'baseUrl' | 'test'>) {
  return (baseUrl ?? (test ? SANDBOX_URL : PRODUCTION_URL)).replace(/\/+$/, '')
}
