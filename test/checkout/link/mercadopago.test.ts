// The page of a company that collects through Mercado Pago, and the installments that it asks for.
import { expect, test } from 'vitest'
import { openPayerBrowser, readPageText } from '../../support/payer.ts'
import {
  findPolicyDirective,
  openMercadoPagoMerchant,
} from '../../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, clock, newCompany } = testApp
const testMerchant = await openMercadoPagoMerchant(testApp)
const { newLink, newCardLink, newCollectingCompany, open, quote, editLink } = testMerchant

test('the page opens for Mercado Pago at its company alone, and for no more than its fields need', async () => {
  const [theirs, ours] = [await newCardLink(), await newLink({}, await newCompany())]

  const [there, here] = [await open(theirs), await open(ours)]

  expect(findPolicyDirective(there.policy, 'script-src')).toBe(
    "script-src 'self' https://sdk.mercadopago.com https://www.mercadopago.com/v2/security.js",
  )
  expect(findPolicyDirective(there.policy, 'frame-src')).toBe(
    'frame-src https://secure-fields.mercadopago.com https://www.mercadolibre.com',
  )
  expect(findPolicyDirective(there.policy, 'connect-src')).toContain('https://api.mercadopago.com')
  expect(here.policy).not.toMatch(/mercado(pago|libre)/)
  expect(there.policy).not.toContain('unsafe')
  expect(here.page.body).not.toMatch(/mercadopago|deviceId/)
})

test('the card is typed into Mercado Pago’s frames: no input of ours takes it', async () => {
  const { page } = await open(await newCardLink())

  expect(page.body).toContain('data-public-key="TEST-7b1c0d2e-fake-public-key"')
  expect(page.body).toMatch(/checkout-mercadopago\.js/)
  expect(page.body).toContain('<input type="hidden" name="deviceId" value="">')
  expect(page.body).not.toMatch(/checkout-sandbox\.js|cc-number|cc-csc|4242 4242/)
  expect(page.body).not.toContain('TEST-4815162342')
  const read = readPageText(page.body)
  expect(read).toContain('Para digitar o cartão, o navegador precisa de JavaScript.')
  expect(read).toContain('O Pix funciona sem ele')
  expect(read).toContain('Até 12x')
  expect(page.body.match(/name="installments"/g)).toHaveLength(1)
})

test('a card’s installments are Mercado Pago’s own rows', async () => {
  const { response } = await quote(await newCardLink({ maxInstallments: 3 }))

  expect(response.statusCode).toBe(200)
  expect(JSON.parse(response.body.replaceAll('\u00a0', ' '))).toEqual({
    quote: expect.stringMatching(/^[\w-]{16}$/),
    options: [
      {
        count: 1,
        ...{ part: '1x de R$ 100,00', first: null, total: 'R$ 100,00', terms: 'à vista' },
        note: null,
        button: 'Pagar R$ 100,00',
      },
      {
        count: 2,
        ...{ part: '2x de R$ 51,00', first: null, total: 'R$ 102,00', terms: '1,33% a.m.' },
        note: 'Taxa de 1,33% a.m. Total a prazo R$ 102,00; à vista R$ 100,00.',
        button: 'Pagar R$ 102,00 em 2x',
      },
      {
        count: 3,
        ...{ part: '3x de R$ 34,67', first: null, total: 'R$ 104,01', terms: '1,99% a.m.' },
        note: 'Taxa de 1,99% a.m. Total a prazo R$ 104,01; à vista R$ 100,00.',
        button: 'Pagar R$ 104,01 em 3x',
      },
    ],
  })
})

test('the first digits of a card are six to eight, and no more is taken', async () => {
  const link = await newCardLink()

  for (const bin of ['', '42424', '424242424', '4242 42', 'abcdef', '4242424242424242']) {
    const { response } = await quote(link, bin)

    expect(response.statusCode).toBe(422)
    expect(response.body).not.toContain('4242424242424242')
  }
})

test('installments are quoted for an open link with cards, some thirty a minute', async () => {
  const [link, sandbox] = [await newCardLink(), await newLink({}, await newCompany())]
  const browser = openPayerBrowser(app)
  const ask = ({ slug }: { slug: string }) =>
    browser.post(`/pagar/${slug}/quotes`, { bin: '42424242' })
  clock.offsetMs = 120_000
  const elsewhere = [await ask(sandbox), await ask({ slug: 'abcdefghjk' })]
  await editLink(link.id, { status: 'inactive' })
  const closed = await ask(link)

  const codes: number[] = []
  for (let n = 0; n < 30; n++) codes.push((await ask(sandbox)).statusCode)

  expect([...elsewhere, closed].map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
  expect(codes.at(-1)).toBe(429)
})

test('a company without its account shows no card, says so, and takes Pix', async () => {
  const company = await newCompany()
  await testMerchant.editCompany(company.id, { cardProvider: 'mercadopago' })
  const [both, cardsOnly] = [
    await newLink({}, company),
    await newLink({ methods: ['credit_card'] }, company),
  ]

  const [pages, none] = [await open(both), await open(cardsOnly)]

  expect(readPageText(pages.page.body)).toContain('O cartão não está disponível agora')
  expect(pages.page.body).toContain('name="method" value="pix"')
  expect(pages.page.body).not.toContain('data-card-entry')
  expect(readPageText(none.page.body)).toContain('O cartão não está disponível agora')
  expect(none.page.body).not.toContain('<form id="pay"')
})

test('a new public key reaches the payers, who keep no page with the old one', async () => {
  const { company } = await newCollectingCompany()
  const link = await newLink({}, company)
  await open(link)

  await testMerchant.openAccount(company.id, { publicKey: 'TEST-another-public-key' })

  expect((await open(link)).page.body).toContain('data-public-key="TEST-another-public-key"')
})
