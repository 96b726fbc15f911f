// "Testar conexão" for an account at Woovi: tests its AppID, then every permission that it needs.
import { v4 } from 'uuid'
import { DAY_MS, HOUR_MS } from '../../database/instant.ts'
import { explainFailure, runConnectionStep } from '../connection.ts'
import type { ConnectionStep } from '../provider.ts'
import { isRequestRefused } from '../refusal.ts'
import type { OpenPixClient } from './client.ts'
import { isMissing } from './errors.ts'
import { AnyMovements, AnyResponse, ChargeResponse, WebhookList } from './responses.ts'
import { openPixTexts } from './texts.ts'

const describeFailure = explainFailure(openPixTexts)

export async function testOpenPix(client: OpenPixClient, now: Date): Promise<ConnectionStep[]> {
  const run = (step: ConnectionStep['step'], work: () => Promise<unknown>) =>
    runConnectionStep(step, work, describeFailure)
  const token = await run('token', () => readNoCharge(client))
  if (!token.ok) return [token]
  return [
    token,
    await run('read', () => readMoney(client, now)),
    await run('webhook', () => listWebhooks(client)),
  ]
}

async function listWebhooks(client: OpenPixClient) {
  await client.call(WebhookList, { method: 'GET', path: '/webhook' })
}

/** Reads a charge that does not exist: the answer must be understood, since payments depend on it. */
async function readNoCharge(client: OpenPixClient) {
  try {
    await client.call(ChargeResponse, { method: 'GET', path: `/charge/${v4()}` })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function readMoney(client: OpenPixClient, now: Date) {
  const query = {
    start: new Date(now.getTime() - DAY_MS - HOUR_MS).toISOString(),
    end: new Date(now.getTime() - DAY_MS).toISOString(),
    limit: '1',
  }
  await client.call(AnyMovements, { method: 'GET', path: '/transaction', query })
  for (const path of [`/charge/${v4()}/refund`, `/dispute/${v4()}`]) {
    // Only the permission matters, not the answer.
    await client.call(AnyResponse, { method: 'GET', path }).catch((error: unknown) => {
      if (!isRequestRefused(error)) throw error
    })
  }
}
