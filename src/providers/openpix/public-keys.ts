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

const REFRESH_AT_MOST_EVERY_MS = 10 * 60_000

export type SignatureKeys = ReturnType<typeof openSignatureKeys>

export function openSignatureKeys(
  client: OpenPixClient,
  { test, now }: { test: boolean; now: () => Date },
) {
  let keys = [createPublicKey(test ? SANDBOX_KEY : PRODUCTION_KEY)]
  let askedAtMs = Number.NEGATIVE_INFINITY

  return { verifySignature, refreshKeys }

  /** RSA with SHA-256 over the received bytes. */
  function verifySignature(body: Buffer, signature: Buffer) {
    return keys.some((key) => isSignedBy(key, body, signature))
  }

  /** Fetches the keys that Woovi publishes now, at most a few times an hour for any number of notifications. */
  async function refreshKeys() {
    const atMs = now().getTime()
    if (atMs - askedAtMs < REFRESH_AT_MOST_EVERY_MS) return
    askedAtMs = atMs
    const call = { method: 'GET', path: '/webhook/public-keys' } as const
    const { public_keys } = await client.call(PublicKeyList, call)
    keys = public_keys.map(({ key }) => createPublicKey(key))
  }
}

function isSignedBy(key: KeyObject, body: Buffer, signature: Buffer) {
  return key.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', body, key, signature)
}
