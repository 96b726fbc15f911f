// Who moves a company's money, method by method, and whether that is real.
import { afterEach, expect, test } from 'vitest'
import { buildTestCard, openCheckout, PIX, readPageText } from '../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../support/providers/accounts.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { bank, channelsOf, choose, save } = openAccountsAtBank(testApp)

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

  expect(await channelsOf(companyId)).toEqual(['pix-api', true, 'sandbox', true])
})

test('going live takes a test of this very configuration that went well', async () => {
  const { id: companyId } = await newCompany()
  await save(companyId, LIVE)
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_untested' })
  await save(companyId, LIVE, { steps: FAILED })
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_untested' })
  await save(companyId, LIVE, { steps: WORKED })
  await save(companyId, { ...LIVE, clientId: 'outro' })
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_untested' })

  await save(companyId, LIVE, { steps: WORKED })
  await choose(companyId)

  expect(await channelsOf(companyId)).toEqual(['pix-api', false, 'sandbox', true])
})

test('each method is in test mode by itself, and the page says that nothing is charged only where it is so', async () => {
  const company = await newCompany()
  await save(company.id, LIVE, { steps: WORKED })
  await choose(company.id)
  bank.provider.testMode = false
  const [both, cards] = [
    await newLink({}, company),
    await newLink({ methods: ['credit_card'] }, company),
  ]

  const byPix = await pay(both, PIX)
  const byCard = await pay(both, buildTestCard('ok'))
  const pages = await Promise.all(
    [both, cards].map(({ slug }) => testApp.app.inject({ url: `/pagar/${slug}?new=1` })),
  )

  expect(byPix.row).toMatchObject({ provider: 'pix-api', testMode: false })
  expect(byCard.row).toMatchObject({ provider: 'sandbox', testMode: true, status: 'approved' })
  const banner = pages.map(({ body }) => readPageText(body).includes('MODO DE TESTE'))
  expect(banner).toEqual([false, true])
  expect((await byPix.browser.get(byPix.url)).body).not.toContain('/simulate')
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
