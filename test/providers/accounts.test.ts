// A company's account at a provider: sealed, never shown again, and chosen on purpose.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { setZodMessages, toFieldErrors } from '../../src/http/zod.ts'
import {
  findAccount,
  findMaskedAccount,
  removeAccount,
  saveAccount,
  testAccount,
} from '../../src/providers/accounts.ts'
import { openAccounts } from '../../src/providers/open-accounts.ts'
import { ProviderDown } from '../../src/providers/provider.ts'
import { getAdapter, REAL_PROVIDERS } from '../../src/providers/registry.ts'
import { requireKind } from '../support/kind.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../support/providers/accounts.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { clock, db, needs, cipher, newCompany, stored } = testApp
const { openPendingPix, listProviders, choose, save } = openAccountsAtBank(testApp)

const STORE = {
  accessToken: 'TEST-1234567890-abcdef-loja',
  publicKey: 'TEST-0987654321-fedcba-loja',
  webhookSecret: 'assinatura-da-loja-0099',
}
const LIVE = { ...BANK_CONFIG, test: false }

test('no secret of an account is in the database or in what people are shown', async () => {
  const { id: companyId } = await newCompany()
  await save(companyId, { ...BANK_CONFIG, extraQuery: { 'gw-dev-app-key': 'chave-de-app-7777' } })
  await saveAccount(needs, { companyId, provider: 'mercadopago', config: STORE, now: clock.now() })

  const dump = await stored()
  const shown = [
    await findMaskedAccount(needs, { companyId, provider: 'pix-api' }),
    await findMaskedAccount(needs, { companyId, provider: 'mercadopago' }),
  ]

  const secrets = [
    BANK_CONFIG.clientSecret,
    'chave-de-app-7777',
    STORE.accessToken,
    STORE.webhookSecret,
    BANK_CONFIG.clientId,
  ]
  for (const secret of secrets) {
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  }
  for (const secret of secrets.slice(0, 4)) expect(JSON.stringify(shown)).not.toContain(secret)
  expect(shown[0]?.config).toMatchObject({
    clientId: BANK_CONFIG.clientId,
    clientSecret: '••••0042',
    extraQuery: { 'gw-dev-app-key': '••••7777' },
  })
  expect(shown[1]?.config).toMatchObject({ accessToken: '••••loja', webhookSecret: '••••0099' })
})

test('a secret that the form leaves blank stays as it was, and the address with it', async () => {
  const { id: companyId } = await newCompany()
  const first = await save(companyId, BANK_CONFIG)

  const again = await save(
    companyId,
    { ...BANK_CONFIG, clientId: 'outro', clientSecret: '' },
    { keepBlankSecrets: true },
  )

  const { clientId, clientSecret } = JSON.parse(
    cipher.decrypt(
      again.config,
      'provider_accounts.config',
      `${again.companyId} ${again.provider}`,
    ),
  )
  expect([clientId, clientSecret]).toEqual(['outro', BANK_CONFIG.clientSecret])
  expect(again.notifyToken).toBe(first.notifyToken)
  expect(first.notifyToken).toMatch(/^[\w-]{43}$/)
})

test('a wrong configuration is refused field by field, and nothing is kept of it', async () => {
  const { id: companyId } = await newCompany()
  const wrong = { ...BANK_CONFIG, baseUrl: 'http://banco.example.com', clientId: '', extra: 1 }

  const refused = save(companyId, wrong)

  await expect(refused).rejects.toMatchObject({
    statusCode: 422,
    errors: expect.arrayContaining([
      expect.objectContaining({ field: 'baseUrl' }),
      expect.objectContaining({ field: 'clientId' }),
      expect.objectContaining({ field: 'extra', code: 'unknown_field' }),
    ]),
  })
  expect(await findAccount(db, companyId, 'pix-api')).toBeUndefined()
})

test('all faults of a configuration are named at once: its shape, what is missing, and an address that is not public', async () => {
  const { id: companyId } = await newCompany()
  const { clientSecret: _, ...config } = {
    ...BANK_CONFIG,
    pixKey: '?',
    cert: 'x',
    baseUrl: 'https://10.0.0.1',
  }

  const refused = saveAccount(
    { ...needs, allowPrivate: false },
    {
      ...{ companyId, provider: 'pix-api', now: clock.now(), config },
    },
  )

  const { errors } = await refused.catch((error) => error)
  expect(errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    ...['baseUrl', 'cert', 'clientSecret', 'key', 'pixKey', 'tokenUrl'],
  ])
})

test.each(REAL_PROVIDERS)(
  'a wrong value of an account at %s is told in our own words',
  (provider) => {
    const { config, listFields } = getAdapter(provider)
    const { main, more } = listFields()
    for (const value of ['', 'x y', 'ç'.repeat(100_000), 7]) {
      const fields = [...main, ...more].map(({ name }) => [name, value])
      z.config({ localeError: () => "Zod's own words" })

      const { error } = config.safeParse({ ...Object.fromEntries(fields), preset: 'custom' })
      setZodMessages()

      const messages = toFieldErrors(error!).map(({ message }) => message)
      expect(messages).not.toContain("Zod's own words")
    }
  },
)

test('a failed test of the connection is kept with its reason', async () => {
  const { id: companyId } = await newCompany()
  await save(companyId, BANK_CONFIG)

  const key = { companyId, provider: 'pix-api', now: clock.now() } as const
  const { steps } = requireKind(await testAccount(needs, key), 'tested')

  const account = await findMaskedAccount(needs, { companyId, provider: 'pix-api' })
  expect(steps[0]).toMatchObject({ ok: false, reason: expect.stringContaining('recusou') })
  expect(account).toMatchObject({ testFailure: steps[0]!.reason, testedAt: expect.any(String) })
})

test('an account that is chosen does not go away', async () => {
  const { id: companyId } = await newCompany()
  await save(companyId, BANK_CONFIG)
  await choose(companyId)
  const key = { companyId, provider: 'pix-api' } as const

  await expect(removeAccount(db, key)).rejects.toMatchObject({ code: 'account_chosen' })
  await choose(companyId, { provider: 'sandbox' })
  await removeAccount(db, key)

  expect(await findAccount(db, companyId, 'pix-api')).toBeUndefined()
  expect(await listProviders(companyId)).toEqual(['sandbox', 'sandbox'])
})

test('credentials are saved in the environment that they are for', async () => {
  const company = await newCompany()
  const refused = { statusCode: 409, code: 'wrong_environment' }

  await expect(save(company.id, LIVE)).rejects.toMatchObject(refused)
  await expect(save(company.realId, BANK_CONFIG)).rejects.toMatchObject(refused)
  await save(company.id, BANK_CONFIG)
  await save(company.realId, LIVE)

  expect(await findAccount(db, company.id, 'pix-api')).toMatchObject({ testMode: true })
  expect(await findAccount(db, company.realId, 'pix-api')).toMatchObject({ testMode: false })
})

test('an account is kept while a payment there waits for its end', async () => {
  const { company, row } = await openPendingPix()
  const key = { companyId: company.id, provider: 'pix-api' } as const
  await choose(company.id, { provider: 'sandbox' })

  await expect(removeAccount(db, key)).rejects.toMatchObject({ code: 'payments_under_way' })
  await db.$client.query(`update transactions set status = 'expired' where id = $1`, [row.id])
  await removeAccount(db, key)

  expect(await findAccount(db, company.id, 'pix-api')).toBeUndefined()
})

test('an account stays open until it changes, on every process', async () => {
  const { id: companyId } = await newCompany()
  await save(companyId, BANK_CONFIG)
  const accounts = openAccounts({ ...needs, sandbox: needs.providers.sandbox })

  const [first, again] = [
    await accounts.open(companyId, 'pix-api'),
    await accounts.open(companyId, 'pix-api'),
  ]
  await save(companyId, { ...BANK_CONFIG, clientId: 'outro' })

  expect(again).toBe(first)
  expect(await accounts.open(companyId, 'pix-api')).not.toBe(first)
  await accounts.close()
})

test('without an account, and with one of another SECRET_KEY, nothing is charged', async () => {
  const { id: companyId } = await newCompany()
  const accounts = openAccounts({ ...needs, sandbox: needs.providers.sandbox })
  await expect(accounts.open(companyId, 'pix-api')).rejects.toBeInstanceOf(ProviderDown)
  await saveAccount(
    { ...needs, cipher: createCipher(Buffer.alloc(32, 1)) },
    { companyId, provider: 'pix-api', config: BANK_CONFIG, now: clock.now() },
  )

  await expect(accounts.open(companyId, 'pix-api')).rejects.toBeInstanceOf(ProviderDown)
  const shown = await findMaskedAccount(needs, { companyId, provider: 'pix-api' })
  expect(shown?.config).toBeNull()
  expect(await accounts.open(companyId, 'sandbox')).toMatchObject({ name: 'sandbox' })
})
