// Certificates as older panels of banks hand them out: RC2 of 40 bits, which OpenSSL opens no more.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/http/errors.ts'
import { modernizeCertificate } from '../../../src/providers/pix-api/pkcs12.ts'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { pixApiTexts } from '../../../src/providers/pix-api/texts.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { openCertificates } from '../../support/providers/certificates.ts'
import { newPixCharge } from '../../support/providers/charges.ts'
import { catchError } from '../../support/providers/harness.ts'

const { authority, pfxOf } = openCertificates()
const [bankCa, ourCa] = [await authority(), await authority()]
const bank = await openFakeBank({ tls: { ...(await bankCa.issue()), ca: ourCa.pem } })
const now = () => new Date()
const { connection: sentences } = pixApiTexts

test.each([
  ['RSA', true],
  ['an elliptic curve', false],
])('an old file with a key of %s is opened once, and the bank lets it in', async (_what, rsa) => {
  const ours = await ourCa.issue({ rsa })
  const old = await pfxOf({ cert: ours.cert + ourCa.pem, key: ours.key }, { legacy: true })
  expect(() => createSecureContext({ ...old, pfx: Buffer.from(old.pfx, 'base64') })).toThrow()

  const kept = await modernizeCertificate({ ...bank.config, ca: bankCa.pem, ...old })

  expect(kept).not.toHaveProperty('pfx')
  expect(kept).not.toHaveProperty('passphrase')
  const own = new X509Certificate(kept.cert!)
  expect(own.checkPrivateKey(createPrivateKey(kept.key!))).toBe(true)
  expect(own.serialNumber).toBe(new X509Certificate(ours.cert).serialNumber)
  expect(kept.cert!.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  const provider = createPixApiProvider(kept, { now })
  expect((await provider.charge(newPixCharge(now()), now())).status).toBe('pending')
  await provider.close!()
})

test('a file that can be used as it is stays as it is', async () => {
  const config = { ...bank.config, ...(await pfxOf(await ourCa.issue())) }

  expect(await modernizeCertificate(config)).toBe(config)
  expect(await modernizeCertificate(bank.config)).toBe(bank.config)
})

test('a wrong password and a broken file are told by the test of the connection', async () => {
  const old = await pfxOf(await ourCa.issue({ rsa: true }), { legacy: true })
  const broken = Buffer.from(old.pfx, 'base64').subarray(0, 700).toString('base64')

  const reasons = await Promise.all(
    [{ ...old, passphrase: 'errada' }, { pfx: old.pfx }, { ...old, pfx: broken }].map(
      async (file) => {
        const kept = await modernizeCertificate({ ...bank.config, ...file })
        const [step] = await createPixApiProvider(kept, { now }).testConnection(now())
        return step?.reason
      },
    ),
  )

  expect(reasons).toEqual([
    sentences.wrongPassphrase,
    sentences.wrongPassphrase,
    sentences.unreadableCertificate,
  ])
})

test('an old file that holds no key is refused at its field', async () => {
  const { cert } = await ourCa.issue()
  const old = await pfxOf({ cert, key: '' }, { legacy: true, withoutKey: true })

  const error = await catchError(modernizeCertificate({ ...bank.config, ...old }))

  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).errors).toEqual([
    expect.objectContaining({ field: 'pfx', message: sentences.unreadableCertificate }),
  ])
})
