// The mercadopago adapter at a Mercado Pago of our own, and charges to send it.
import { afterAll, beforeEach } from 'vitest'
import { newId } from '../../../../src/database/id.ts'
import { createLogger } from '../../../../src/http/log.ts'
import {
  createMercadoPagoProvider,
  mercadoPagoConfig,
} from '../../../../src/providers/mercadopago/provider.ts'
import type { Charge, ChargeKey } from '../../../../src/providers/provider.ts'
import { ACCESS_TOKEN, openFakeMercadoPago, PUBLIC_KEY, WEBHOOK_SECRET } from './fake.ts'

export const MERCADO_PAGO_KEYS = {
  accessToken: ACCESS_TOKEN,
  publicKey: PUBLIC_KEY,
  webhookSecret: WEBHOOK_SECRET,
}

const COMMON_CHARGE = {
  totalCents: 10_000,
  amountCents: 10_000,
  title: 'Bolo de cenoura',
  slug: 'bolodecen',
  merchant: { name: 'Padaria São João', city: 'São Paulo' },
  notifyUrl: 'https://loja.example/webhooks/mercadopago/x',
  payer: {
    name: 'Maria da Silva',
    email: 'maria@exemplo.com.br',
    taxId: '52998224725',
    phone: null as string | null,
  },
}

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
  afterAll(async () => {
    await provider.close?.()
    await fake.close()
  })

  /** Another account there. */
  function open(more: object = {}, needs: object = {}) {
    const config = mercadoPagoConfig.parse({ ...MERCADO_PAGO_KEYS, baseUrl: fake.url, ...more })
    return createMercadoPagoProvider(config, {
      ...{ log, now: clock.now },
      createDeadline: fake.createDeadline,
      ...needs,
    })
  }

  function pix(more: object = {}) {
    const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const of = { method: 'pix', txid: 'PL0123456789abcdef0123456', expiresAt } as const
    return { ...COMMON_CHARGE, ...newIdentity(), ...of, ...more }
  }

  function card(scenario = 'ok', more: object = {}) {
    const token = { token: `fake_${scenario}_0a1b2c3d`, brand: 'mastercard', last4: '6351' }
    const returnUrl = 'https://vintem.test/pagar/x/payments/t'
    const of = { method: 'credit_card', installments: 1, card: token, returnUrl } as const
    return { ...COMMON_CHARGE, ...newIdentity(), ...of, ...more }
  }

  function newIdentity() {
    return { transactionId: newId(), createdAt: clock.now().toISOString() }
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

export function buildChargeKey(charge: Charge, reference?: string): ChargeKey {
  const { transactionId, createdAt, method, amountCents, totalCents } = charge
  const asked = { transactionId, createdAt, method, amountCents, totalCents }
  return { ...asked, pixTxid: null, endToEndIds: [], reference: reference ?? null }
}
