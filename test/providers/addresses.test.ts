// The person who configures an account says where this server connects to, and must not reach what only it can.
import { expect, test } from 'vitest'
import { saveAccount, testAccount, testAccountConfig } from '../../src/providers/accounts.ts'
import { openAccounts } from '../../src/providers/open-accounts.ts'
import { ProviderDown } from '../../src/providers/provider.ts'
import type { RealProvider } from '../../src/providers/registry.ts'
import { texts } from '../../src/texts.ts'
import { BANK_CONFIG } from '../support/providers/accounts.ts'
import { buildPixChargeKey, newPixCharge } from '../support/providers/charges.ts'
import { MALGA_KEYS } from '../support/providers/malga/fake.ts'
import { MERCADO_PAGO_KEYS } from '../support/providers/mercadopago/fake.ts'
import { APP_ID } from '../support/providers/openpix/fake.ts'
import { SECRET_KEY } from '../support/providers/pagarme/fake.ts'
import { openProbe } from '../support/receiver.ts'
import { openTestApp } from '../support/test-app.ts'

const { clock, needs, newCompany } = await openTestApp({ local: true })
const strict = { ...needs, allowPrivate: false }
const METADATA = 'https://169.254.169.254/latest'

const accountAt: Record<RealProvider, (url: string) => Record<string, unknown>> = {
  'pix-api': (url) => ({ ...BANK_CONFIG, baseUrl: url, tokenUrl: `${url}/oauth/token` }),
  mercadopago: (url) => ({ ...MERCADO_PAGO_KEYS, baseUrl: url }),
  openpix: (url) => ({ appId: APP_ID, test: true, baseUrl: url }),
  pagarme: (url) => ({ secretKey: SECRET_KEY, baseUrl: url }),
  malga: (url) => ({ ...MALGA_KEYS, baseUrl: url }),
}
const PROVIDERS = Object.keys(accountAt) as RealProvider[]

async function asked(provider: RealProvider, url: string) {
  const { id: companyId } = await newCompany()
  return { companyId, provider, config: accountAt[provider](url), now: clock.now() }
}

test.each(PROVIDERS)(
  'an account at %s is neither tried nor saved at a private address',
  async (provider) => {
    const { port, seen } = await openProbe()
    const account = await asked(provider, `https://localhost:${port}`)

    const refusals = [testAccountConfig(strict, account), saveAccount(strict, account)]

    for (const refused of refusals) {
      const { errors } = await refused.then(
        () => expect.unreachable('it was let through'),
        (error) => error,
      )
      expect(errors).toContainEqual({
        field: 'baseUrl',
        code: 'private_address',
        message: texts.urls.private_address,
      })
    }
    expect(seen.connections).toBe(0)
  },
)

test('each address that is wrong is named, the one of the token too', async () => {
  const account = await asked('pix-api', 'http://127.0.0.1:9')
  const config = { ...account.config, tokenUrl: METADATA }

  await expect(saveAccount(strict, { ...account, config })).rejects.toMatchObject({
    errors: [
      { field: 'baseUrl', code: 'https_only' },
      { field: 'tokenUrl', code: 'private_address' },
    ],
  })
})

test.each(PROVIDERS)(
  'an account at %s that was saved in development is not called once private addresses are refused',
  async (provider) => {
    const { port, seen } = await openProbe()
    const account = await asked(provider, `https://localhost:${port}`)
    await saveAccount(needs, account)
    const { companyId } = account
    const accounts = openAccounts({ ...strict, sandbox: needs.providers.sandbox })
    const opened = await accounts.open(companyId, provider)
    const charge = newPixCharge(clock.now())

    const charged = await opened.charge(charge, clock.now()).catch((error) => error)
    const found = await opened
      .find(buildPixChargeKey(charge, null), clock.now())
      .catch((error) => error)
    const tested = await testAccount(strict, { companyId, provider, now: clock.now() })
    await accounts.close()

    // Nothing was charged, and the payer may try something else.
    expect(charged).toBeInstanceOf(ProviderDown)
    expect(found).toBeInstanceOf(ProviderDown)
    expect(tested).toMatchObject({
      kind: 'tested',
      steps: [{ step: 'token', ok: false, reason: expect.any(String) }],
    })
    expect(seen.connections).toBe(0)
  },
)

test('in development an account may be on this machine', async () => {
  const { port, seen } = await openProbe()

  await testAccountConfig(needs, await asked('openpix', `http://127.0.0.1:${port}`))

  expect(seen.connections).toBeGreaterThan(0)
})
