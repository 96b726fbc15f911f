// The cases of every provider, over Mercado Pago.

import type { Fault } from '../../support/fake-mercadopago.ts'
import { cents } from '../../support/fake-mercadopago-book.ts'
import { openMercadoPago } from '../../support/mercadopago.ts'
import type { PixCharge } from '../../support/pix-charges.ts'
import { describeProvider } from '../../support/provider-cases.ts'
import type { World } from '../../support/provider-world.ts'

await describeProvider('mercadopago', openWorld)

async function openWorld() {
  const { fake, provider, clock } = await openMercadoPago()
  let coming: Fault | undefined
  const lose = (how: Fault['how'], after = true) => {
    coming = { after, how }
  }
  const orderOf = ({ transactionId }: PixCharge) => fake.ordersOf(transactionId)[0]!

  const world: World = {
    now: clock.now,
    advance: (ms) => {
      clock.offsetMs += ms
    },
    payPix: (charge, paid) => fake.payPix(orderOf(charge).id, paid),
    givenBack: (charge) =>
      orderOf(charge).transactions.refunds.reduce((sum, { amount }) => sum + cents(amount), 0),
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
  return { provider: onto(provider), world }

  /** The call that does something is the one that fails; a refund reads its order before. */
  function onto(adapter: typeof provider): typeof provider {
    const fail = (before: Fault[] = []) => {
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
