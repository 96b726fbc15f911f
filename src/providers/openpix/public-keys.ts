// The keys that sign Woovi's notifications: those in its documentation, one for production and one for its sandbox, and
// those that it publishes later.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { OpenPixClient } from './client.ts'
import { PublicKeyList } from './responses.ts'

/** developers.woovi.com/docs/webhook/seguranca/webhook-signature-validation */
const PRODUCTION_KEY = `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC/+NtIkjzevvqD+I3MMv3bLXDt
pvxBjY4BsRrSdca3rtAwMcRYYvxSnd7jagVLpctMiOxQO8ieUCKLSWHpsMAjO/zZ
WMKbqoG8MNpi/u3fp6zz0mcHCOSqYsPUUG19buW8bis5ZZ2IZgBObWSpTvJ0cnj6
HKBAA82Jln+lGwS1MwIDAQAB
-----END PUBLIC KEY-----
`

/** developers.woovi.com/docs/webhook/seguranca/webhook-sandbox-public-key */
const SANDBOX_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoZwBaFwmstKqy9VAqqxi
SbCWgJR3dd5CTtDi6Fwthtd2owFkZIMqTqKg3Bq5ExjuOxE+v/1gIWFqR9jNjbtY
umwPq+wXQhvx9TrQgrrFMVZ6tMPcwzj8Nknw182N/HMIQsV6B+8JWWzf/cN4ZZVS
sRZfQvoVgFM7PSvSvc/h6v0X2Lkzjypvw7ZRkfxoc+z7B0p3vdQmLSKxPRpLzdLL
VlJ+CJA2aATKVQR5feiuWHKdOlvCT7IRhal0hxUAjc7rxho5eHgaxWO5rITke8wS
IjYIpuw38vMobYSxXb6iuj5Zrjpe2GV8vwuGud8H2dngYhkqbGuY5f4j1kfcN7gC
8QIDAQAB
-----END PUBLIC KEY-----
`

/** A notification waits for the keys. */
const FETCH_LIMIT_MS = 3_000

export function getDocumentedKey({ test }: { test: boolean }) {
  return createPublicKey(test ? SANDBOX_KEY : PRODUCTION_KEY)
}

export async function fetchPublicKeys(client: OpenPixClient) {
  const call = { method: 'GET', path: '/webhook/public-keys', limitMs: FETCH_LIMIT_MS } as const
  const { public_keys } = await client.call(PublicKeyList, call)
  return public_keys.map(({ key }) => createPublicKey(key))
}

/** RSA with SHA-256 over the received bytes. */
export function isSignedBy(key: KeyObject, body: Buffer, signature: Buffer) {
  return key.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', body, key, signature)
}
