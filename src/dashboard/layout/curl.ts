import { curlTexts } from './texts.ts'

/** What makes a link when it is pasted into a terminal; without a key it says where one goes. */
export function buildCreateLinkCurl(baseUrl: string, key: string | null) {
  return [
    `curl ${baseUrl}/api/payment-links \\`,
    `  -H 'Authorization: Bearer ${key ?? curlTexts.keyGoesHere}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"title":"Bolo de cenoura","amountCents":1990,"methods":["pix","credit_card"]}'`,
  ].join('\n')
}
