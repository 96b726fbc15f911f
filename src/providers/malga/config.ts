// The configuration of an account at Malga, and the host that serves it.
import { z } from 'zod'
import { LIABILITY_SHIFTS } from '../provider.ts'
import { malgaTexts } from './texts.ts'

const PRODUCTION_URL = 'https://api.malga.io'
const SANDBOX_URL = 'https://sandbox-api.malga.io'
const KEY_PATTERN = /^[\w.-]{16,256}$/

export const malgaConfig = z.strictObject({
  /** `X-Client-Id`, which is sent to payers' browsers too. */
  clientId: z.string().trim().regex(KEY_PATTERN, malgaTexts.key),
  /** `X-Api-Key`. */
  apiKey: z.string().trim().regex(KEY_PATTERN, malgaTexts.key),
  /** The sub-account of the charges; it has the company's contract with its acquirers. */
  merchantId: z.string().trim().pipe(z.uuid(malgaTexts.merchantId)),
  /** Whether cards are approved only when their bank bears fraud. 3-D Secure is requested in both cases. */
  liabilityShift: z.enum(LIABILITY_SHIFTS).default('required'),
  /** The account belongs to Malga's sandbox: payments are tests. */
  test: z.boolean().default(false),
  /** Another address of the same API; Malga's own by default. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .optional(),
})

export type MalgaConfig = z.output<typeof malgaConfig>

export function getMalgaUrl({ baseUrl, test }: Pick<MalgaConfig, 'baseUrl' | 'test'>) {
  return (baseUrl ?? (test ? SANDBOX_URL : PRODUCTION_URL)).replace(/\/+$/, '')
}
