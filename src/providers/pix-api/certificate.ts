// The company's own certificate, and for how long it is good.
import { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { PixApiConfig } from './config.ts'

type Identity = Pick<PixApiConfig, 'pfx' | 'cert' | 'key' | 'passphrase'>
type CertificateTerm = { from: Date; until: Date }

/** As `createSecureContext` takes it. */
export function toIdentityOptions({ pfx, cert, key, passphrase }: Identity) {
  return {
    ...(pfx !== undefined && { pfx: Buffer.from(pfx, 'base64') }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
  }
}

/** Undefined where there is no certificate. */
export function readCertificateTerm(secureContext: SecureContext): CertificateTerm | undefined {
  const own = new TLSSocket(new Socket(), { secureContext }).getCertificate()
  if (!own || !('valid_to' in own) || !('valid_from' in own)) return undefined
  return { from: new Date(own.valid_from), until: new Date(own.valid_to) }
}

/** The same of a configuration. Throws when the certificate cannot be opened. */
export function readIdentityTerm(identity: Identity) {
  return readCertificateTerm(createSecureContext(toIdentityOptions(identity)))
}
