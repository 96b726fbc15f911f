// "Testar conexão" for a Mercado Pago account: reads its credentials, then its orders.

import { DAY_MS } from '../../database/instant.ts'
import { explainFailure, runConnectionStep } from '../connection.ts'
import type { JsonClient } from '../json-client.ts'
import type { ConnectionStep } from '../provider.ts'
import { mercadoPagoTexts } from './texts.ts'

type MercadoPagoKeys = { accessToken: string; publicKey: string }

const TEST_PREFIX = 'TEST-'

const describeFailure = explainFailure(mercadoPagoTexts)

export async function testMercadoPago(
  client: JsonClient,
  keys: MercadoPagoKeys,
  now: Date,
): Promise<ConnectionStep[]> {
  const token = await runConnectionStep(
    'token',
    async () => {
      if (isTestKey(keys.accessToken) !== isTestKey(keys.publicKey))
        return mercadoPagoTexts.mixedKeys
      const { status, body } = await client.get('/v1/payment_methods')
      if (status !== 200) return mercadoPagoTexts.strangeAnswer(status)
      return listsCreditCards(body) ? null : mercadoPagoTexts.noCards
    },
    describeFailure,
  )
  if (!token.ok) return [token]
  const read = await runConnectionStep(
    'read',
    async () => {
      const begin_date = new Date(now.getTime() - DAY_MS).toISOString()
      const query = { begin_date, end_date: now.toISOString(), limit: '1' }
      const { status } = await client.get('/v1/orders', query)
      return status === 200 ? null : mercadoPagoTexts.strangeAnswer(status)
    },
    describeFailure,
  )
  return [token, read]
}

export function isTestKey(key: string) {
  return key.startsWith(TEST_PREFIX)
}

function listsCreditCards(body: unknown) {
  return (
    Array.isArray(body) &&
    body.some((one) => one?.payment_type_id === 'credit_card' && one?.status === 'active')
  )
}
