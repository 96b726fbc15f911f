// The line to Mercado Pago under a company's access token.
import { createJsonClient, type JsonClient, type JsonClientNeeds } from '../json-client.ts'
import { FIELD_NAMES } from './schema.ts'

export type MercadoPagoClient = JsonClient

export function createMercadoPagoClient(
  { baseUrl, accessToken }: { baseUrl: string; accessToken: string },
  needs: JsonClientNeeds,
) {
  return createJsonClient(
    {
      ...{ name: 'Mercado Pago', baseUrl, authorization: `Bearer ${accessToken}` },
      ...{ keyHeader: 'x-idempotency-key', fieldNames: FIELD_NAMES },
    },
    needs,
  )
}
