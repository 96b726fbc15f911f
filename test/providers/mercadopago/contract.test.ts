// The cases of every provider, over Mercado Pago.

import { describeProvider } from '../../support/providers/cases.ts'
import type { PixCharge } from '../../support/providers/charges.ts'
import type { ProviderHarness } from '../../support/providers/harness.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'
import { parseCents } from '../../support/providers/mercadopago/orders.ts'
import { buildFaultyNetwork, type WireFault } from '../../support/providers/server.ts'

await describeProvider('mercadopago', openHarness)

async function openHarness() {
  const { fake, provider, clock } = await openMercadoPago()
  let coming: WireFault | undefined
  const orderOf = ({ transactionId }: PixCharge) => fake.ordersOf(transactionId)[0]!

  const harness: ProviderHarness = {
    now: clock.now,
    advance: (ms) => {
      clock.offsetMs += ms
    },
    payPix: (charge, paid) => fake.payPix(orderOf(charge).id, paid),
    refundedCentsOf: (charge) =>
      orderOf(charge).transactions.refunds.reduce((sum, { amount }) => sum + parseCents(amount), 0),
    chargesOf: ({ transactionId }) => fake.ordersOf(transactionId).length,
    refundAtProvider: (charge, amount) => fake.refundHere(orderOf(charge).id, amount),
    notificationOf: (charge) => fake.notification(orderOf(charge).id),
    refundsAreNameless: true,
    network: {
      ...buildFaultyNetwork({ next: (fault) => (coming = fault) }, /./, () => {}),
      changeAmount: (amount) => {
        fake.settings.otherCents = amount
      },
    },
  }
  return { provider: onto(provider), harness }

  /** The call that does something is the one that fails; a refund reads its order before. */
  function onto(adapter: typeof provider): typeof provider {
    const fail = (on: RegExp) => {
      if (coming) fake.next({ ...coming, on })
      coming = undefined
    }
    return {
      ...adapter,
      charge(charge, now) {
        fail(/./)
        return adapter.charge(charge, now)
      },
      find(key, now) {
        fail(/./)
        return adapter.find(key, now)
      },
      refund(request, now) {
        fail(/refund$/)
        return adapter.refund(request, now)
      },
    }
  }
}
