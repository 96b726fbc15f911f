// Companies with payers who pay through a fake Mercado Pago.
import { afterAll, beforeEach } from 'vitest'
import { saveAccount } from '../../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../../src/providers/choose.ts'
import { MARIA, openCheckout, openPayerBrowser, readFormFields } from '../../payer.ts'
import type { TestApp } from '../../test-app.ts'
import { MERCADO_PAGO_KEYS } from './account.ts'
import { openFakeMercadoPago } from './fake.ts'

export async function openMercadoPagoMerchant(testApp: TestApp) {
  const { app, db, cipher, clock, needs, newCompany } = testApp
  const { newLink, ...checkout } = openCheckout(testApp)
  const fake = await openFakeMercadoPago(clock.now)
  const settings = { ...fake.settings }

  beforeEach(() => {
    Object.assign(fake.settings, settings)
    clock.offsetMs = 0
  })
  afterAll(() => fake.close())

  /** A company that takes cards, or Pix too, there. */
  async function collecting(methods: ('pix' | 'credit_card')[] = ['credit_card'], more = {}) {
    const company = await newCompany()
    const account = await openAccount(company.id, more)
    for (const method of methods) {
      const choice = { companyId: company.id, method, provider: 'mercadopago' } as const
      await chooseProvider(db, { ...choice, now: clock.now() })
    }
    return { company, account }
  }

  async function openAccount(companyId: string, more: object = {}) {
    const config = { ...MERCADO_PAGO_KEYS, baseUrl: fake.url, ...more }
    const save = { companyId, provider: 'mercadopago', config, now: clock.now() } as const
    return saveAccount({ db, cipher, log: needs.log, allowPrivate: true }, save)
  }

  /** Asks both ways, R$ 100,00, in up to twelve. */
  async function newCardLink(more: object = {}) {
    const { company } = await collecting()
    return newLink({ maxInstallments: 12, interestMode: 'pass_to_customer', ...more }, company)
  }

  async function open(link: { slug: string }) {
    const browser = openPayerBrowser(app)
    const page = await browser.get(`/pagar/${link.slug}`)
    return { browser, page, policy: String(page.headers['content-security-policy']) }
  }

  /** Opens the link, types a card of these first digits, and may send the form then. */
  async function quote(link: { slug: string }, bin = '42424242') {
    const { browser, page } = await open(link)
    const response = await browser.post(`/pagar/${link.slug}/quotes`, { bin })
    const send = (filled: object) => {
      const form = { ...readFormFields(page.body), ...MARIA, ...filled }
      return browser.post(`/pagar/${link.slug}/payments`, form)
    }
    return { response, send }
  }

  const companies = { collecting, openAccount, newLink, newCardLink }
  return { fake, ...companies, open, quote, ...checkout }
}

/** One of a page's content policy. */
export function findPolicyDirective(policy: unknown, name: string) {
  return String(policy)
    .split('; ')
    .find((one) => one.startsWith(`${name} `))
}

/** What Mercado Pago's fields leave in the form for a card of this scenario. */
export function buildMercadoPagoCard(scenario: string, more: object = {}) {
  return {
    method: 'credit_card',
    cardToken: `fake_${scenario}_0a1b2c3d`,
    cardBrand: 'visa',
    cardLast4: '4242',
    cardHolder: 'Maria Silva',
    ...more,
  }
}
