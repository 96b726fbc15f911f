// The configuration of an account at Woovi, and the host that serves it.
import { z } from 'zod'
import { openPixTexts } from './texts.ts'

const APP_ID_PATTERN = /^[\w+/=.:-]{16,512}$/
const PRODUCTION_URL = 'https://api.openpix.com.br'
const SANDBOX_URL = 'https://api.woovi-sandbox.com'

export const openPixConfig = z.strictObject({
  /** The AppID of an API created in the account; sent as it is, without "Bearer". */
  appId: z.string().trim().regex(APP_ID_PATTERN, openPixTexts.appId),
  /** The account belongs to Woovi's sandbox: payments are tests. */
  test: z.boolean().default(false),
  /** Another address of the same API; Woovi's own by default. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .optional(),
})

export type OpenPixConfig = z.output<typeof openPixConfig>

export function getOpenPixUrl({ baseUrl, test }: Pick<OpenPixConfig, 'baseUrl' | 'test'>) {
  return (baseUrl ?? (test ? SANDBOX_URL : PRODUCTION_URL)).replace(/\/+$/, '')
}
