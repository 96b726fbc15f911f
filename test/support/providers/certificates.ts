// Authorities and certificates, made by openssl for as long as the tests run.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../processes/reaper.ts'

const runFile = promisify(execFile)
const NEW_KEY_ARGUMENTS = [
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:P-256',
  '-nodes',
  '-keyout',
]
const PASSPHRASE = 'segredo'

type IssuedCertificate = { cert: string; key: string }

export function openCertificates() {
  const folder = makeFolder('certificates')
  let count = 0
  const at = (name: string) => join(folder, name)
  const text = (name: string) => readFile(at(name), 'utf8')

  /** An authority of its own, which is unknown. */
  async function authority() {
    const ca = `ca${++count}`
    const name = ['-subj', `/CN=Autoridade ${count}`, '-days', '2']
    await openssl('req', '-x509', ...NEW_KEY_ARGUMENTS, `${ca}.key`, '-out', `${ca}.pem`, ...name)

    /** For localhost; with days below 0 it has expired. */
    async function issue({
      days = 2,
      name = 'DNS:localhost,IP:127.0.0.1',
      rsa = false,
    } = {}): Promise<IssuedCertificate> {
      const one = `one${++count}`
      await writeFile(at(`${one}.ext`), `subjectAltName=${name}\n`)
      const subject = ['-subj', `/CN=${one}`]
      const newKey = rsa ? ['-newkey', 'rsa:2048', '-nodes', '-keyout'] : NEW_KEY_ARGUMENTS
      await openssl('req', ...newKey, `${one}.key`, '-out', `${one}.csr`, ...subject)
      const by = ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-CAcreateserial']
      const made = ['-extfile', `${one}.ext`, '-days', String(days), '-out', `${one}.pem`]
      await openssl('x509', '-req', '-in', `${one}.csr`, ...by, ...made)
      return { cert: await text(`${one}.pem`), key: await text(`${one}.key`) }
    }

    return { pem: await text(`${ca}.pem`), issue }
  }

  /** As banks hand certificates out: PKCS#12 in base64; `legacy` in the cipher of old tools. */
  async function pfxOf(
    { cert, key }: IssuedCertificate,
    { legacy = false, withoutKey = false } = {},
  ) {
    const one = `pfx${++count}`
    await writeFile(at(`${one}.pem`), cert + key)
    const old = [...(legacy ? ['-legacy'] : []), ...(withoutKey ? ['-nokeys'] : [])]
    const names = ['-in', `${one}.pem`, '-out', `${one}.p12`, '-passout', `pass:${PASSPHRASE}`]
    await openssl('pkcs12', '-export', ...old, ...names)
    const pfx = (await readFile(at(`${one}.p12`))).toString('base64')
    return { pfx, passphrase: PASSPHRASE }
  }

  function openssl(...args: string[]) {
    return runFile('openssl', args, { cwd: folder })
  }

  return { authority, pfxOf }
}
