import { PAYMENT_METHODS, type PaymentMethod } from '../../database/enums.ts'
import { curlTexts } from './texts.ts'

/** Builds a command that creates a link when pasted into a terminal; without a key it has a placeholder. */
export function buildCreateLinkCurl(
  baseUrl: string,
  key: string | null,
  methods: readonly PaymentMethod[] = PAYMENT_METHODS,
) {
  const link = { title: curlTexts.title, amountCents: 1990, methods }
  return [
    `curl ${baseUrl}/api/payment-links \\`,
    `  -H 'Authorization: Bearer ${key ?? curlTexts.keyGoesHere}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(link)}'`,
  ].join('\n')
}
