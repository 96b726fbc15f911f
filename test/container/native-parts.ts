// Run in the image by image.nightly.test.ts: uses each part that is not plain JavaScript once, and prints what came
// of it. Reads a database's address and two files of certificates from its input.
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { createCompany } from '../../src/companies/company.ts'
import { encodeLogo, findLogo, saveLogo } from '../../src/companies/logo.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { requireFound } from '../../src/database/found.ts'
import { drawQr, renderPng } from '../../src/payment-links/qr.ts'
import { modernizeCertificate } from '../../src/providers/pix-api/pkcs12.ts'
import { hashPassword, verifyPassword } from '../../src/users/password.ts'

const { databaseUrl, secretKey, config } = JSON.parse(readFileSync(0, 'utf8'))
const db = connectDatabase(databaseUrl)
const picture = await renderPng(drawQr('https://vintem.example.com/pagar/bolo'))

const { real } = await createCompany(db, createCipher(Buffer.from(secretKey, 'base64')), {
  name: 'Padaria Sol',
})
const logo = await encodeLogo(picture, 'padaria')
if (logo.kind === 'refused') throw new Error(logo.reason)
await saveLogo(
  db,
  { companyId: real.id, logo },
  { baseUrl: 'https://vintem.example.com', now: new Date() },
)

const certificate = await modernizeCertificate(config)
createSecureContext({ cert: requireFound(certificate.cert), key: requireFound(certificate.key) })

console.log(
  JSON.stringify({
    picture: picture.subarray(1, 4).toString(),
    logo: (await findLogo(db, real.id))?.contentType,
    password: await verifyPassword('pão de queijo', await hashPassword('pão de queijo')),
    certificate: requireFound(certificate.cert).split('\n')[0],
  }),
)
await db.$client.end()
