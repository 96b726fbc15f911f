// Converts PKCS#12 files with an old cipher (40-bit RC2), which OpenSSL no longer opens and several banks still issue.
// A file is converted once, when it is uploaded, and stored as PEM.
import { createSecureContext } from 'node:tls'
import type forge from 'node-forge'
import { invalidFieldsError } from '../../http/errors.ts'
import type { PixApiConfig } from './config.ts'
import { pixApiTexts } from './texts.ts'

type Forge = typeof forge
type CertificatePair = { cert: string; key: string }

const { connection: sentences } = pixApiTexts

/** Returns the configuration with a usable certificate. Throws an AppError at the field of the file. */
export async function modernizeCertificate(config: PixApiConfig): Promise<PixApiConfig> {
  const { pfx, passphrase = '', ...rest } = config
  if (!pfx || !isOutdated(pfx, passphrase)) return config
  // Slow to load and rarely needed.
  const { default: library } = await import('node-forge')
  return { ...rest, ...openPfx(library, pfx, passphrase) }
}

function isOutdated(pfx: string, passphrase: string) {
  try {
    createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase })
    return false
  } catch (error) {
    return /Unsupported PKCS12/.test(String(error))
  }
}

function openPfx(library: Forge, pfx: string, passphrase: string): CertificatePair {
  try {
    const encoded = library.asn1.fromDer(library.util.decode64(pfx))
    return toPemPair(library, library.pkcs12.pkcs12FromAsn1(encoded, passphrase))
  } catch (error) {
    const isWrongPassphrase = /password/i.test(String(error))
    throw isWrongPassphrase
      ? buildFieldError('passphrase', sentences.wrongPassphrase)
      : buildFieldError('pfx', sentences.unreadableCertificate)
  }
}

/** The certificate of the key comes first, then its issuers. */
function toPemPair(library: Forge, opened: forge.pkcs12.Pkcs12Pfx): CertificatePair {
  const { certBag = '', keyBag = '', pkcs8ShroudedKeyBag = '' } = library.pki.oids
  const [key] = [pkcs8ShroudedKeyBag, keyBag].flatMap((type) => listBags(opened, type))
  const certificates = listBags(opened, certBag)
  const own = certificates.find((bag) => key && getKeyId(bag) === getKeyId(key)) ?? certificates[0]
  if (!key || !own) throw new Error('There is no certificate with its key')
  const chain = [own, ...certificates.filter((bag) => bag !== own)]
  return {
    cert: chain.map((bag) => toCertificatePem(library, bag)).join(''),
    key: toKeyPem(library, key),
  }
}

function listBags(opened: forge.pkcs12.Pkcs12Pfx, bagType: string) {
  return opened.getBags({ bagType })[bagType] ?? []
}

function getKeyId({ attributes }: forge.pkcs12.Bag): unknown {
  return attributes.localKeyId?.[0]
}

// The library reads only RSA keys; it returns others as found.
function toCertificatePem({ pki, asn1, pem }: Forge, { cert, asn1: raw }: forge.pkcs12.Bag) {
  if (cert) return normalizeLines(pki.certificateToPem(cert))
  return normalizeLines(pem.encode({ type: 'CERTIFICATE', body: asn1.toDer(raw).getBytes() }))
}

function toKeyPem({ pki }: Forge, { key, asn1: raw }: forge.pkcs12.Bag) {
  const info = key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)) : raw
  return normalizeLines(pki.privateKeyInfoToPem(info))
}

function normalizeLines(text: string) {
  return `${text.replaceAll('\r\n', '\n').trim()}\n`
}

function buildFieldError(field: 'pfx' | 'passphrase', message: string) {
  return invalidFieldsError([{ field, code: 'invalid', message }])
}
