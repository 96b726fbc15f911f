// The malga adapter at a Malga of our own, and charges to send it.
import { afterAll, beforeEach } from 'vitest'
import { createLogger } from '../../../../src/http/log.ts'
import { malgaConfig } from '../../../../src/providers/malga/config.ts'
import { createMalgaProvider } from '../../../../src/providers/malga/provider.ts'
import type { CardCharge } from '../../../../src/providers/provider.ts'
import { buildChargeKey, newCardCharge } from '../charges.ts'
import { openFakeMalga } from './fake.ts'

export const MARIA_ADDRESS = {
  zipCode: '01310930',
  street: 'Avenida Paulista',
  number: '2100',
  city: 'São Paulo',
  state: 'SP',
}

export const MARIA_BROWSER = {
  setupId: '11111111-2222-3333-4444-555555555555',
  ip: '203.0.113.5',
  userAgent: 'Mozilla/5.0',
  language: 'pt-BR',
  colorDepth: 24,
  screenHeight: 844,
  screenWidth: 390,
  timeZoneOffset: 180,
}

/** Before each test the fake behaves, and the clock is right. */
export async function openMalga() {
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  const fake = await openFakeMalga(clock.now)
  const logged: string[] = []
  const log = createLogger('debug', { write: (line: string) => logged.push(line) > 0 })
  const provider = open()

  beforeEach(() => {
    fake.heal()
    clock.offsetMs = 0
  })
  afterAll(() => provider.close?.())

  /** Another account there. */
  function open(more: object = {}, needs: object = {}) {
    const config = malgaConfig.parse({ ...fake.config, ...more })
    const { createDeadline } = fake
    return createMalgaProvider(config, { log, now: clock.now, createDeadline, ...needs })
  }

  function card(scenario = 'ok', more: object = {}): CardCharge {
    const token = { token: `fake_${scenario}_0a1b2c3d`, brand: 'mastercard', last4: '6351' }
    const known = { threeDs: MARIA_BROWSER, billingAddress: MARIA_ADDRESS }
    return newCardCharge(clock.now(), { totalCents: 10_401, card: { ...token, ...known }, ...more })
  }

  const charge = (request: CardCharge) => provider.charge(request, clock.now())
  const find = (request: CardCharge, reference?: string) =>
    provider.find(buildChargeKey(request, reference), clock.now())
  /** Sends the charge and answers what the fake calls it. */
  const chargeOf = async (request: CardCharge) =>
    ((await charge(request)) as { reference: string }).reference
  return { clock, fake, logged, provider, open, card, charge, chargeOf, find }
}
