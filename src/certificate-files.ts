// The files that a connection to Postgres shows and trusts, looked at before there is one: of some the driver
// would say what OpenSSL says, and others it would pass over.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

const READERS = {
  sslcert: { parse: parseCertificate, what: 'a certificate in PEM' },
  sslkey: { parse: createPrivateKey, what: 'a private key in PEM that asks for no passphrase' },
  sslrootcert: { parse: parseCertificate, what: 'the certificate of an authority in PEM' },
}

/** What is wrong with those that an address names, if anything. */
export function findCertificateFault({ searchParams }: URL): string | undefined {
  const texts = new Map<string, string>()
  for (const [name, { parse, what }] of Object.entries(READERS)) {
    const file = searchParams.get(name)
    if (file === null) continue
    const text = attempt(() => readFileSync(file, 'utf8'))
    if (text === undefined) return `must name a file as ${name} that this user can read`
    if (!attempt(() => parse(text))) return `must name ${what} as ${name}`
    texts.set(name, text)
  }
  const [certificate, key] = [texts.get('sslcert'), texts.get('sslkey')]
  if (!certificate || !key) return undefined
  return parseCertificate(certificate).checkPrivateKey(createPrivateKey(key))
    ? undefined
    : 'must name the key of its sslcert as sslkey, not that of another certificate'
}

function parseCertificate(text: string) {
  return new X509Certificate(text)
}

function attempt<Result>(read: () => Result) {
  try {
    return read()
  } catch {
    return undefined
  }
}
