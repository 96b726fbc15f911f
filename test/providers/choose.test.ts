// Who moves a company's money, method by method, in each of its environments.
import { afterEach, expect, test } from 'vitest'
import { openCheckout, PIX } from '../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../support/providers/accounts.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { bank, listProviders, choose, save } = openAccountsAtBank(testApp)

const LIVE = { ...BANK_CONFIG, test: false }
const WORKED = [{ step: 'token', ok: true } as const]
const FAILED = [{ step: 'token', ok: false, reason: 'O banco não respondeu.' } as const]

afterEach(() => {
  bank.provider.testMode = true
})

test('a provider is chosen only with an account, and for what it does', async () => {
  const { id: companyId } = await newCompany()
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_missing' })
  await save(companyId, BANK_CONFIG)

  await expect(choose(companyId, { method: 'credit_card' })).rejects.toMatchObject({
    code: 'method_not_supported',
  })
  await choose(companyId)

  expect(await listProviders(companyId)).toEqual(['pix-api', 'sandbox'])
})

test('in the real environment it takes a test of this very configuration that went well', async () => {
  const { realId: companyId } = await newCompany()
  await save(companyId, LIVE)
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_untested' })
  await save(companyId, LIVE, { steps: FAILED })
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_untested' })
  await save(companyId, LIVE, { steps: WORKED })
  await save(companyId, { ...LIVE, clientId: 'outro' })
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_untested' })

  await save(companyId, LIVE, { steps: WORKED })
  await choose(companyId)

  expect(await listProviders(companyId)).toEqual(['pix-api', null])
})

test('the sandbox is chosen in the test environment alone, and no provider in the real one alone', async () => {
  const { id, realId } = await newCompany()
  await save(realId, LIVE, { steps: WORKED })
  await choose(realId)
  const refused = { statusCode: 409, code: 'wrong_environment' }

  await expect(choose(realId, { provider: 'sandbox' })).rejects.toMatchObject(refused)
  await expect(choose(id, { provider: null })).rejects.toMatchObject(refused)
  await choose(id, { provider: 'sandbox' })
  await choose(realId, { provider: null })

  expect(await listProviders(id)).toEqual(['sandbox', 'sandbox'])
  expect(await listProviders(realId)).toEqual([null, null])
})

test('what one environment chooses changes nothing in the other', async () => {
  const { id, realId } = await newCompany()
  await save(realId, LIVE, { steps: WORKED })
  await choose(realId)
  const before = await listProviders(id)
  await save(id, BANK_CONFIG)
  await choose(id)

  expect(before).toEqual(['sandbox', 'sandbox'])
  expect([await listProviders(id), await listProviders(realId)]).toEqual([
    ['pix-api', 'sandbox'],
    ['pix-api', null],
  ])
})

test('a payment that was drafted as a test never goes to an account that has gone live', async () => {
  const company = await newCompany()
  await save(company.id, BANK_CONFIG)
  await choose(company.id)
  const link = await newLink({}, company)
  bank.provider.testMode = false

  const { row } = await pay(link, PIX)

  expect(await read(row.id)).toMatchObject({ status: 'pending', pixBrCode: null, testMode: true })
  expect(bank.charges.has(row.id)).toBe(false)
})
