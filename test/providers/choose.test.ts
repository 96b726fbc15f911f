// Who moves a company's money, method by method, and whether that is real.
import { afterEach, expect, test } from 'vitest'
import { BANK, openAccountsOf } from '../support/accounts.ts'
import { openHouse } from '../support/house.ts'
import { card, openCheckout, PIX, textOf } from '../support/payer.ts'

const house = await openHouse()
const { newCompany } = house
const { newLink, pay, read } = openCheckout(house)
const { bank, channelsOf, choose, save } = openAccountsOf(house)

const LIVE = { ...BANK, test: false }
const WORKED = [{ step: 'token', ok: true } as const]
const FAILED = [{ step: 'token', ok: false, reason: 'O banco não respondeu.' } as const]

afterEach(() => {
  bank.provider.testMode = true
})

test('a provider is chosen only with an account, and for what it does', async () => {
  const { id: companyId } = await newCompany()
  await expect(choose(companyId)).rejects.toMatchObject({ code: 'account_missing' })
  await save(companyId, BANK)

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
  const byCard = await pay(both, card('ok'))
  const pages = await Promise.all(
    [both, cards].map(({ slug }) => house.app.inject({ url: `/pagar/${slug}?new=1` })),
  )

  expect(byPix.row).toMatchObject({ provider: 'pix-api', testMode: false })
  expect(byCard.row).toMatchObject({ provider: 'sandbox', testMode: true, status: 'approved' })
  const banner = pages.map(({ body }) => textOf(body).includes('MODO DE TESTE'))
  expect(banner).toEqual([false, true])
  expect((await byPix.browser.get(byPix.url)).body).not.toContain('/simulate')
})

test('a payment that was drafted as a test never goes to an account that has gone live', async () => {
  const company = await newCompany()
  await save(company.id, BANK)
  await choose(company.id)
  const link = await newLink({}, company)
  bank.provider.testMode = false

  const { row } = await pay(link, PIX)

  expect(await read(row.id)).toMatchObject({ status: 'pending', pixBrCode: null, testMode: true })
  expect(bank.charges.has(row.id)).toBe(false)
})
