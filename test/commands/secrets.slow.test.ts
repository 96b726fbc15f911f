import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { listAudit } from '../../src/companies/audit.ts'
import { findCompany } from '../../src/companies/company.ts'
import { decryptRedirectSecret } from '../../src/companies/redirect-secret.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { findAccount, findAccountByNotifyToken, saveAccount } from '../../src/providers/accounts.ts'
import { runProgram } from '../support/processes/program.ts'
import { runCommand } from '../support/run-command.ts'
import { openTestApp } from '../support/test-app.ts'

const NEW_KEY = randomBytes(32)
const SECRET_KEY = NEW_KEY.toString('base64')

const testApp = await openTestApp({ local: true })
const { db, cipher, secretKey, url, needs, newCompany } = testApp
const testEnvironment = await newCompany()
const ACCOUNT = { companyId: testEnvironment.id, provider: 'mercadopago' } as const
const CONFIG = {
  accessToken: 'TEST-1234567890-abcdef-loja',
  publicKey: 'TEST-0987654321-fedcba-loja',
  webhookSecret: 'assinatura-da-loja-0099',
}

const ENV = { DATABASE_URL: url, PORT: '0', BASE_URL: 'https://vintem.example.com' }

const cli = (keys: Record<string, string>, line: string) =>
  runCommand(line.split(' '), { ...ENV, ...keys })

test('a wrong key starts neither the service nor a command, and says what to do', async () => {
  await cli({ SECRET_KEY: secretKey }, 'company list')

  const [service, command, doctor] = await Promise.all([
    runProgram([], { program: 'main.ts', env: { ...ENV, SECRET_KEY }, timeoutMs: 60_000 }),
    cli({ SECRET_KEY }, 'company create --name Loja'),
    cli({ SECRET_KEY }, 'doctor'),
  ])

  const sentence = /^SECRET_KEY is not the key .* give that one as SECRET_KEY_PREVIOUS\.$/m
  expect([service.status, command.status, doctor.status]).toEqual([1, 1, 1])
  expect(service.stderr).toMatch(sentence)
  expect(command.stderr).toMatch(sentence)
  expect(doctor.stdout).toMatch(/^fail {2}secret key: decrypts 0 of \d+ secrets/m)
})

test('a redirect secret is rotated in the environment that is named, and told once', async () => {
  const { id, realId } = testEnvironment
  const before = await findCompany(db, id)
  const real = await findCompany(db, realId)

  const line = `secrets rotate-redirect --test --json --company ${realId}`
  const { redirectSecret, testMode } = JSON.parse(
    (await cli({ SECRET_KEY: secretKey }, line)).stdout,
  )

  const after = (await findCompany(db, id))!
  expect(testMode).toBe(true)
  expect(decryptRedirectSecret(cipher, after)).toBe(redirectSecret)
  expect(decryptRedirectSecret(cipher, before!)).not.toBe(redirectSecret)
  expect(await findCompany(db, realId)).toEqual(real)
  const [entry] = await listAudit(db, realId, { limit: 1 })
  expect(entry).toMatchObject({ action: 'redirect_secret_rotated', testMode: true })
})

test('an account gets another address of notifications, which a provider without an API is told by hand', async () => {
  const saved = await saveAccount(needs, { ...ACCOUNT, config: CONFIG, now: testApp.clock.now() })

  const line = `secrets rotate-notification --test --json --provider mercadopago --company ${ACCOUNT.companyId}`
  const rotated = await cli({ SECRET_KEY: secretKey }, line)

  const row = (await findAccount(db, ACCOUNT.companyId, ACCOUNT.provider))!
  const { notifyUrl, registered } = JSON.parse(rotated.stdout)
  expect(row.notifyToken).not.toBe(saved.notifyToken)
  expect(notifyUrl).toBe(`https://vintem.example.com/webhooks/mercadopago/${row.notifyToken}`)
  expect(registered).toBe(false)
  expect(await findAccountByNotifyToken(db, saved.notifyToken)).toBeUndefined()
  // Saved once more, it stays.
  await saveAccount(needs, { ...ACCOUNT, config: CONFIG, now: testApp.clock.now() })
  const later = await findAccount(db, ACCOUNT.companyId, ACCOUNT.provider)
  expect(later!.notifyToken).toBe(row.notifyToken)
})

test('before the keys are swapped the doctor has the new one kept, and not the one in use destroyed', async () => {
  const inUse = { SECRET_KEY: secretKey }

  const announced = await cli({ ...inUse, SECRET_KEY_PREVIOUS: SECRET_KEY }, 'doctor')

  expect(announced.stdout).toMatch(
    /^warn {2}secret key: decrypts all \d+ .*; SECRET_KEY_PREVIOUS decrypts none of them — keep it while /m,
  )
  expect(announced.stdout).not.toContain('destroy')
})

test('a command that has the old key alone says that it has changed no key', async () => {
  const { status, stdout } = await cli({ SECRET_KEY: secretKey }, 'secrets rotate')

  expect(status).toBe(0)
  expect(stdout).toContain('No key was changed')
  expect(stdout).not.toContain('can be removed')
}, 60_000)

test('everything is encrypted again by the new key, after which the old one opens nothing', async () => {
  const keys = { SECRET_KEY, SECRET_KEY_PREVIOUS: secretKey }

  const before = await cli(keys, 'doctor')
  const rotated = await cli(keys, 'secrets rotate')
  const [after, done, late] = await Promise.all([
    cli(keys, 'doctor'),
    cli({ SECRET_KEY }, 'doctor'),
    cli({ SECRET_KEY: secretKey }, 'company list'),
  ])

  expect(before.stdout).toMatch(
    /^warn {2}secret key: .*encrypted with an earlier key \(companies\.redirect_secret \d+, .*run "secrets rotate"/m,
  )
  expect(rotated).toMatchObject({ status: 0, stderr: '' })
  expect(rotated.stdout).toMatch(/^companies\.redirect_secret: [1-9]\d* encrypted again$/m)
  expect(rotated.stdout).toContain('SECRET_KEY_PREVIOUS can be removed')
  expect(after.stdout).toMatch(
    /^warn {2}secret key: .*SECRET_KEY_PREVIOUS decrypts none of them — .* otherwise remove it/m,
  )
  expect(done.stdout).toMatch(/^ok {4}secret key: decrypts all \d+ secrets$/m)
  expect(late.status).toBe(1)
  const company = (await findCompany(db, testEnvironment.id))!
  expect(decryptRedirectSecret(createCipher(NEW_KEY), company)).toMatch(/^[0-9a-f]{64}$/)
})
