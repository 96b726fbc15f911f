// Prepares a card payment in the payer's browser: makes the key for Malga's own fields, and begins 3-D Secure.

import type { FastifyBaseLogger } from 'fastify'
import { v4 } from 'uuid'
import type { JsonClient } from '../json-client.ts'
import type { CardSetup } from '../provider.ts'
import { ClientToken, Setup } from './schema.ts'

/** How long the browser may turn a card into a token. */
const CLIENT_TOKEN_SECONDS = 600

/** The host that reads the payer's device for the bank. The form's page may post to this host alone. */
const COLLECTOR = 'cardinalcommerce.com'
export const COLLECTORS = `https://*.${COLLECTOR}`

export async function createClientToken(client: JsonClient) {
  const asked = { scope: ['tokens'], expires: CLIENT_TOKEN_SECONDS }
  const { status, body } = await client.send('POST', '/v1/auth', asked, v4())
  if (status >= 300) throw new Error(`Malga gave no key for a card: ${status}`)
  return ClientToken.parse(body).publicKey
}

/** Leaves out a collection at any other host; the bank then decides without the device. */
export async function setUpCard(
  client: JsonClient,
  tokenId: string,
  log: FastifyBaseLogger,
): Promise<CardSetup> {
  const asked = { sourceType: 'token', tokenId }
  const { status, body } = await client.send('POST', '/v1/charges/3ds/setup', asked, v4())
  if (status >= 300) throw new Error(`Malga set up no 3-D Secure: ${status}`)
  const { id: setupId, token, collectUrl: url } = Setup.parse(body)
  if (url && token && isCollector(url)) return { setupId, collection: { url, token } }
  log.warn({ url }, 'the device of a card is not collected at this address')
  return { setupId, collection: null }
}

function isCollector(url: string) {
  const { protocol, hostname = '' } = URL.parse(url) ?? {}
  return protocol === 'https:' && hostname.endsWith(`.${COLLECTOR}`)
}
