// Companies with payers who pay by card through a fake Malga.
import { beforeEach } from 'vitest'
import type { TestApp } from '../../test-app.ts'
import { openCardMerchant } from '../card-merchant.ts'
import { MARIA_BROWSER } from './account.ts'
import { openFakeMalga } from './fake.ts'

export async function openMalgaMerchant(testApp: TestApp) {
  const fake = await openFakeMalga(testApp.clock.now)
  beforeEach(() => fake.heal())
  return { fake, ...openCardMerchant(testApp, 'malga', fake.config) }
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
