// The mercadopago adapter at a Mercado Pago of our own, and charges to send it.
import { afterAll, beforeEach } from 'vitest'
import { createLogger } from '../../../../src/http/log.ts'
import {
  createMercadoPagoProvider,
  mercadoPagoConfig,
} from '../../../../src/providers/mercadopago/provider.ts'
import type { Charge } from '../../../../src/providers/provider.ts'
import { buildChargeKey, MARIA_PAYER, newCardCharge, newPixCharge } from '../charges.ts'
import { openFakeMercadoPago } from './fake.ts'

const R100 = { totalCents: 10_000, amountCents: 10_000 }

/** Before each test the fake is as it was made, and the clock is right. */
export async function openMercadoPago() {
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  const fake = await openFakeMercadoPago(clock.now)
  const settings = { ...fake.settings }
  const logged: string[] = []
  const log = createLogger('debug', { write: (line: string) => logged.push(line) > 0 })
  const provider = open()

  beforeEach(() => {
    Object.assign(fake.settings, settings)
    fake.keys.strict = false
    clock.offsetMs = 0
  })
  afterAll(() => provider.close?.())

  /** Another account there. */
  function open(more: object = {}, needs: object = {}) {
    const config = mercadoPagoConfig.parse({ ...fake.config, ...more })
    return createMercadoPagoProvider(config, {
      ...{ log, now: clock.now },
      createDeadline: fake.createDeadline,
      ...needs,
    })
  }

  function pix(more: object = {}) {
    const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
    return newPixCharge(clock.now(), {
      ...R100,
      txid: 'PL0123456789abcdef0123456',
      expiresAt,
      ...more,
    })
  }

  function card(scenario = 'ok', more: object = {}) {
    const token = { token: `fake_${scenario}_0a1b2c3d`, brand: 'mastercard', last4: '6351' }
    const common = { ...R100, payer: MARIA_PAYER, installments: 1, card: token }
    return newCardCharge(clock.now(), { ...common, ...more })
  }

  /** Sends the charge and answers what the fake calls it. */
  async function chargeOf(request: Charge) {
    const { reference } = (await charge(request)) as { reference: string }
    return reference
  }

  const charge = (request: Charge) => provider.charge(request, clock.now())
  const find = (request: Charge, reference?: string) =>
    provider.find(buildChargeKey(request, reference), clock.now())
  return { clock, fake, logged, provider, open, pix, card, charge, chargeOf, find }
}
