// Companies with payers who pay through a fake Mercado Pago.
import { beforeEach } from 'vitest'
import { MARIA, openPayerBrowser, readFormFields } from '../../payer.ts'
import type { TestApp } from '../../test-app.ts'
import { openCardMerchant } from '../card-merchant.ts'
import { openFakeMercadoPago } from './fake.ts'

export async function openMercadoPagoMerchant(testApp: TestApp) {
  const { app, clock } = testApp
  const fake = await openFakeMercadoPago(clock.now)
  const settings = { ...fake.settings }
  beforeEach(() => void Object.assign(fake.settings, settings))

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

  return { fake, ...openCardMerchant(testApp, 'mercadopago', fake.config), open, quote }
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
