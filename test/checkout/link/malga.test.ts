// The page of a company that charges cards through Malga: its frames, its address, its bank's page.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBillingAddress } from '../../../src/checkout/billing-address.ts'
import { en } from '../../../src/checkout/texts/en.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openPayerBrowser } from '../../support/payer.ts'
import { buildMalgaCard, openMalgaMerchant } from '../../support/providers/malga/merchant.ts'
import { findPolicyDirective } from '../../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, db, clock, newCompany } = testApp
const { fake, newCardLink, newLink, pay, read } = await openMalgaMerchant(testApp)

async function open(link: { slug: string }) {
  const browser = openPayerBrowser(app)
  const page = await browser.get(`/pagar/${link.slug}`)
  const policy = String(page.headers['content-security-policy'])
  return { browser, page, policy }
}

test('the page opens for Malga at its company alone, asks for an address, and runs our scripts alone', async () => {
  const [there, here] = [
    await open(await newCardLink()),
    await open(await newLink({}, await newCompany())),
  ]

  expect(findPolicyDirective(there.policy, 'script-src')).toBe("script-src 'self'")
  expect(findPolicyDirective(there.policy, 'frame-src')).toBe(
    'frame-src https://hosted-fields.malga.io https://hosted-fields-sandbox.malga.io https://*.cardinalcommerce.com',
  )
  expect(findPolicyDirective(there.policy, 'form-action')).toBe(
    "form-action 'self' https://*.cardinalcommerce.com",
  )
  expect(there.page.body).toMatch(/checkout-malga\.js/)
  expect(there.page.body).not.toMatch(/deviceId|cc-number|cc-csc|data-quotes/)
  expect(there.page.body.match(/name="installments"/g)).toHaveLength(12)
  for (const token of ['postal-code', 'address-line1', 'address-level2', 'address-level1']) {
    expect(there.page.body).toContain(`autocomplete="billing ${token}"`)
  }
  expect(here.policy + here.page.body).not.toMatch(/malga|zipCode|cardAuthentication/)
})

test('Malga’s script is the one that it published, as it is', () => {
  const file = join(import.meta.dirname, '../../../views/assets/vendor/malga-tokenization-2.3.0.js')

  // npm view @malga/tokenization@2.3.0: dist/index.js of the package.
  const published = 'a2209d362c67c2e87f53fd5823cc76cf09ad25d2a68a339d796719d4c861f227'
  expect(hash('sha256', readFileSync(file))).toBe(published)
})

test('a browser is given a key for a card, and 3-D Secure begins with its token', async () => {
  const link = await newCardLink()
  const { browser } = await open(link)
  fake.book.manner.bankUrl = 'https://centinelapi.cardinalcommerce.com'

  const key = await browser.post(`/pagar/${link.slug}/card`, {})
  const setup = await browser.post(`/pagar/${link.slug}/card`, { token: 'fake_ok_0a1b2c3d' })
  const wrong = await browser.post(`/pagar/${link.slug}/card`, { token: 'x y' })
  const elsewhere = await browser.post(`/pagar/${(await newLink()).slug}/card`, {})
  fake.next({ on: /auth$/, does: 'answer', status: 500 })
  const down = await browser.post(`/pagar/${link.slug}/card`, {})

  expect(key.json()).toEqual({ key: expect.stringMatching(/^pk_/), isTest: true })
  expect(setup.json()).toMatchObject({ collection: { token: 'jwt-of-fake_ok_0a1b2c3d' } })
  expect([wrong, elsewhere, down].map(({ statusCode }) => statusCode)).toEqual([422, 404, 503])
})

test('a card is charged what was shown, with the address that was typed, which is kept nowhere', async () => {
  const link = await newCardLink()

  const { row } = await pay(
    link,
    buildMalgaCard('ok', { installments: '3', street: 'Rua Secreta' }),
  )

  const { body } = fake.calls(/^POST .v1.charges$/).at(-1)!
  expect(row).toMatchObject({ status: 'approved', provider: 'malga', cardLast4: '9339' })
  expect(body).toMatchObject({
    amount: row.totalCents,
    orderId: row.id,
    paymentMethod: { installments: 3 },
    threeDSecure2: {
      redirectURL: expect.stringMatching(new RegExp(`/pagar/${link.slug}/payments/`)),
      billingAddress: { zipCode: '01310930', street: 'Rua Secreta', state: 'SP', country: 'BR' },
      browser: { ip: expect.stringMatching(/^198\.18\./), screenWidth: 390 },
    },
  })
  const { rows } = await db.execute<{ row: string }>(
    sql`select to_jsonb(t)::text as row from transactions t where id = ${row.id}
      union all select to_jsonb(c)::text from customers c where id = ${row.customerId}
      union all select body from events where company_id = ${row.companyId}`,
  )
  expect(rows.length).toBeGreaterThan(2)
  expect(JSON.stringify(rows)).not.toMatch(/Secreta|01310/)
})

test('what is wrong with an address is said field by field, and all that was typed is kept', async () => {
  const link = await newCardLink()
  const typed = { zipCode: '1310-930', street: 'Rua A', streetNumber: '', city: '7', state: 'XX' }
  const { browser } = await open(link)

  const page = await browser.pay(link, buildMalgaCard('ok', typed))

  expect(page.statusCode).toBe(422)
  for (const field of ['zipCode', 'streetNumber', 'city', 'state']) {
    expect(page.body).toContain(`id="${field}-error"`)
  }
  expect(page.body).not.toContain('id="street-error"')
  expect(page.body).toMatch(/name="street" value="Rua A"/)
  expect(page.body).toMatch(/name="zipCode" value="1310-930"/)
  expect(fake.chargeOf('x')).toBeUndefined()
})

test('a card without what 3-D Secure needs is not charged', async () => {
  const { browser } = await open(await newCardLink())
  const link = await newCardLink()
  const before = fake.calls(/charges$/).length

  for (const cardAuthentication of ['', '{', '{"setupId":"x"}']) {
    const page = await browser.pay(link, buildMalgaCard('ok', { cardAuthentication }))
    expect(page.statusCode).toBe(422)
    expect(page.body).toContain('href="#card"')
  }

  expect(fake.calls(/charges$/)).toHaveLength(before)
})

test.each([
  [{ zipCode: '01.310-930' }, { zipCode: '01310930' }],
  [{ zipCode: ' CEP 01310 930 ' }, { zipCode: '01310930' }],
  [{ state: 'São Paulo' }, { state: 'SP' }],
  [{ state: 'mato grosso do sul' }, { state: 'MS' }],
  [{ state: 'Estado do Rio de Janeiro' }, { state: 'RJ' }],
  [{ streetNumber: 's/n' }, { number: 'S/N' }],
  [{ streetNumber: 'sem número' }, { number: 'S/N' }],
  [{ streetNumber: '12 apto 4' }, { number: '12 apto 4' }],
  [
    { street: 'Avenida Paulista, 2100', streetNumber: '' },
    { street: 'Avenida Paulista', number: '2100' },
  ],
  [
    { street: 'Rua 7', streetNumber: '10' },
    { street: 'Rua 7', number: '10' },
  ],
])('an address is read as people type it: %j', (typed, read_) => {
  const form = buildMalgaCard('ok', typed)

  expect(readBillingAddress(form, en).address).toMatchObject(read_)
})

test('the bank is posted to in the place of the page, and once the payer is back the payment ends', async () => {
  const { row, browser, url } = await pay(await newCardLink(), buildMalgaCard('challenge'))
  const page = await browser.get(url)
  const waiting = await browser.post(`${url}/check`, {})

  fake.authorize(row.id)
  const ended = await browser.post(`${url}/check`, {})

  expect(row).toMatchObject({ status: 'awaiting_authentication' })
  expect(page.body).toContain('<form method="post" action="https://bank.example/StepUp">')
  expect(page.body).toContain(
    `<input type="hidden" name="JWT" value="jwt-${row.providerReference}">`,
  )
  const policy = String(page.headers['content-security-policy'])
  expect(findPolicyDirective(policy, 'form-action')).toBe("form-action 'self' https:")
  expect(findPolicyDirective(policy, 'frame-src')).toBe("frame-src 'none'")
  expect([waiting.json().state, ended.json().state]).toEqual(['challenge', 'approved'])
  expect(await read(row.id)).toMatchObject({ status: 'approved', threeDsFlow: 'challenge' })
})

test('a challenge without an answer is declined, and voided where it is confirmed all the same', async () => {
  const { row, browser, url } = await pay(await newCardLink(), buildMalgaCard('challenge'))

  clock.offsetMs = 11 * 60_000
  await browser.post(`${url}/check`, {})
  const declined = await read(row.id)
  fake.authorize(row.id)
  await db.execute(
    sql`update transactions set check_at = now() - interval '1 hour' where id = ${row.id}`,
  )
  for (const _ of [1, 2, 3]) {
    await reconcileDuePayments(testApp.needs)
    clock.offsetMs += 10 * 60_000
  }

  expect(declined).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
  expect(fake.chargeOf(row.id)).toMatchObject({ status: 'voided', amount: 0 })
})
