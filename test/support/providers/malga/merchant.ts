// Companies with payers who pay by card through a fake Malga.
import { afterAll, beforeEach } from 'vitest'
import { saveAccount } from '../../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../../src/providers/choose.ts'
import { openCheckout } from '../../payer.ts'
import type { TestApp } from '../../test-app.ts'
import { MARIA_BROWSER } from './account.ts'
import { openFakeMalga } from './fake.ts'

export async function openMalgaMerchant(testApp: TestApp) {
  const { db, cipher, clock, needs, newCompany } = testApp
  const checkout = openCheckout(testApp)
  const fake = await openFakeMalga(clock.now)
  const good = { ...fake.book.manner }

  beforeEach(() => {
    Object.assign(fake.book.manner, good)
    fake.heal()
    clock.offsetMs = 0
  })
  afterAll(() => fake.close())

  /** R$ 100,00, in up to twelve, at a company that takes cards there. */
  async function newCardLink(more: object = {}) {
    const company = await newCompany()
    const account = { companyId: company.id, provider: 'malga', now: clock.now() } as const
    const accountNeeds = { db, cipher, log: needs.log, allowPrivate: true }
    await saveAccount(accountNeeds, { ...account, config: fake.config })
    await chooseProvider(db, { ...account, method: 'credit_card' })
    return checkout.newLink(
      { maxInstallments: 12, interestMode: 'pass_to_customer', ...more },
      company,
    )
  }

  return { fake, newCardLink, ...checkout }
}

const { ip: _, ...AUTHENTICATION } = MARIA_BROWSER

/** What Malga's fields leave in the form for a card of this scenario, and an address as people type it. */
export function buildMalgaCard(scenario: string, more: object = {}) {
  return {
    method: 'credit_card',
    cardToken: `fake_${scenario}_0a1b2c3d`,
    cardBrand: 'visa',
    cardLast4: '',
    cardHolder: '',
    cardAuthentication: JSON.stringify(AUTHENTICATION),
    zipCode: '01310-930',
    street: 'Avenida Paulista',
    streetNumber: '2100',
    city: 'São Paulo',
    state: 'sp',
    ...more,
  }
}
