// The cases of every provider, over Mercado Pago.

import { describeProvider } from '../../support/providers/cases.ts'
import type { ProviderHarness } from '../../support/providers/harness.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'
import type { MercadoPagoFault } from '../../support/providers/mercadopago/fake.ts'
import { parseCents } from '../../support/providers/mercadopago/orders.ts'
import type { PixCharge } from '../../support/providers/pix-charges.ts'

await describeProvider('mercadopago', openWorld)

async function openWorld() {
  const { fake, provider, clock } = await openMercadoPago()
  let coming: MercadoPagoFault | undefined
  const lose = (how: MercadoPagoFault['how'], after = true) => {
    coming = { after, how }
  }
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
      makeSlow: () => lose('hangs'),
      failNext: (status) => lose(status, false),
      failAfter: (status) => lose(status),
      answerGarbage: () => lose('garbage'),
      breakOff: () => lose('resets'),
      changeAmount: (amount) => {
        fake.settings.otherCents = amount
      },
    },
  }
  return { provider: onto(provider), harness }

  /** The call that does something is the one that fails; a refund reads its order before. */
  function onto(adapter: typeof provider): typeof provider {
    const fail = (before: MercadoPagoFault[] = []) => {
      if (coming) fake.next(...before, coming)
      coming = undefined
    }
    return {
      ...adapter,
      charge(charge, now) {
        fail()
        return adapter.charge(charge, now)
      },
      find(key, now) {
        fail()
        return adapter.find(key, now)
      },
      refund(request, now) {
        fail([{ after: true, how: 'passes' }])
        return adapter.refund(request, now)
      },
    }
  }
}
