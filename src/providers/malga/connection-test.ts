// "Testar conexão" for an account at Malga: tests its sub-account and keys, and what the documentation leaves open.

import { v4 } from 'uuid'
import { explainFailure, runConnectionStep } from '../connection.ts'
import type { JsonClient } from '../json-client.ts'
import type { ConnectionStep } from '../provider.ts'
import { createClientToken } from './card-fields.ts'
import { ChargeList } from './schema.ts'
import { malgaTexts } from './texts.ts'
import { fetchSignatureKeys, listWebhooks } from './webhooks.ts'

const describeFailure = explainFailure(malgaTexts)

export async function testMalga(
  client: JsonClient,
  { merchantId }: { merchantId: string },
): Promise<ConnectionStep[]> {
  const token = await runConnectionStep(
    'token',
    async () => {
      const path = `/v1/merchants/${encodeURIComponent(merchantId)}`
      const { status } = await client.get(path)
      if (status === 400 || status === 404) return malgaTexts.noMerchant
      if (status !== 200) return malgaTexts.strangeAnswer(status)
      await createClientToken(client)
      return null
    },
    describeFailure,
  )
  if (!token.ok) return [token]
  const read = await runConnectionStep('read', () => searchNoCharge(client), describeFailure)
  return [token, read, await testWebhooks(client)]
}

/** Searches a charge that does not exist: the empty answer must be understood, since payments depend on it. */
async function searchNoCharge(client: JsonClient) {
  const { status, body } = await client.get('/v1/charges', { orderId: v4() })
  if (status !== 200) return malgaTexts.strangeAnswer(status)
  const { items } = ChargeList.parse(body)
  return items.length > 0 ? malgaTexts.ignoresOrderId : null
}

/** The step is optional, because payments are found without notifications too. */
async function testWebhooks(client: JsonClient): Promise<ConnectionStep> {
  const step = await runConnectionStep(
    'webhook',
    async () => {
      const known = await listWebhooks(client)
      const isUnsigned = known.length > 0 && (await fetchSignatureKeys(client)).length === 0
      return isUnsigned ? malgaTexts.noKeys : null
    },
    describeFailure,
  )
  return step.ok ? step : { ...step, isOptional: true }
}
