// The fakes of all who take cards, behind one face: what is tried of one acquirer is tried of each.
import { openFakeMalga } from './malga/fake.ts'
import { buildMalgaCard } from './malga/merchant.ts'
import { openFakeMercadoPago } from './mercadopago/fake.ts'
import { buildMercadoPagoCard } from './mercadopago/merchant.ts'
import { parseCents } from './mercadopago/orders.ts'
import { openFakePagarme } from './pagarme/fake.ts'
import type { openFakeServer } from './server.ts'

type Told = { headers: object; query: Record<string, string>; body: Buffer }

type AcquirerFace = {
  provider: 'mercadopago' | 'malga' | 'pagarme'
  config: Record<string, unknown>
  /** Payers type their card at its own page. */
  isElsewhere?: true
  /** Its calls that charge, that ask for a charge, and that refund. */
  on: { charge: RegExp; read: RegExp; refund: RegExp }
  /** What a payer's form has of a card that is approved: at once, or when the acquirer has thought about it. */
  buildCard(isDecided?: boolean): object
  /** The acquirer has thought about it, or the payer pays at its page. */
  approve(transactionId: string): void
  /** The payer pays once more; answers how to read what went back of that charge. */
  payAgain(transactionId: string): () => number
  /** It takes this instead of what it is asked for. */
  takeOther(cents: number): void
  chargesOf(transactionId: string): unknown[]
  listPaid(): { id: string; refundedCents: number }[]
  /** What it sends about a charge; forged where it signs, and another's key did. */
  notification(transactionId: string, how?: { isForged?: boolean; at?: Date }): Told
  /** As on its first day. */
  forget(): void
}

export type FakeAcquirer = Awaited<ReturnType<typeof openFakeServer>> & AcquirerFace

export async function openAcquirers(): Promise<[FakeAcquirer, FakeAcquirer, FakeAcquirer]> {
  return [await openMercadoPago(), await openMalga(), await openPagarme()]
}

let cardCount = 0

/** Each card is another. */
const newLast4 = () => ({ cardLast4: String(1_000 + (cardCount++ % 9_000)) })

async function openMercadoPago(): Promise<FakeAcquirer> {
  const fake = await openFakeMercadoPago()
  const orderOf = (id: string) => fake.ordersOf(id)[0]!
  return {
    ...fake,
    provider: 'mercadopago',
    on: { charge: /^POST .v1.orders$/, read: /^GET .v1.orders/, refund: /refund$/ },
    buildCard: (isDecided = true) =>
      buildMercadoPagoCard(isDecided ? 'ok' : 'processing', newLast4()),
    approve: (id) => fake.accept(orderOf(id).id),
    payAgain(id) {
      const order = orderOf(id)
      const second = fake.payAgain(order.id)
      const isOwn = (one: { transaction_id: string }) => one.transaction_id === second.id
      const { refunds } = order.transactions
      return () => sum(refunds.filter(isOwn).map(({ amount }) => parseCents(amount)))
    },
    takeOther: (cents) => void Object.assign(fake.settings, { otherCents: cents }),
    chargesOf: fake.ordersOf,
    listPaid: () =>
      fake
        .orders()
        .filter((order) => order.total_paid_amount !== undefined)
        .map((order) => ({
          id: order.external_reference,
          refundedCents: sum(order.transactions.refunds.map(({ amount }) => parseCents(amount))),
        })),
    notification: (id, { isForged, at } = {}) =>
      fake.notification(orderOf(id).id, {
        ...(at && { at }),
        ...(isForged && { secret: 'another-secret' }),
      }),
  }
}

async function openMalga(): Promise<FakeAcquirer> {
  const fake = await openFakeMalga()
  // It tells its key with the webhooks that an account has.
  const webhook = { id: 'w', event: 'transaction.authorized', endpoint: '', status: true }
  fake.book.webhooks.push(webhook)
  return {
    ...fake,
    provider: 'malga',
    on: { charge: /^POST .v1.charges$/, read: /^GET .v1.charges/, refund: /void$/ },
    buildCard: (isDecided = true) => buildMalgaCard(isDecided ? 'ok' : 'pending', newLast4()),
    approve: fake.authorize,
    payAgain(id) {
      const { amount } = fake.chargeOf(id)
      const second = fake.chargeAgain(id)
      return () => amount - second.amount
    },
    takeOther: (cents) => void Object.assign(fake.book.manner, { otherCents: cents }),
    chargesOf: (id) => fake.charges().filter(({ orderId }) => orderId === id),
    listPaid: () =>
      fake
        .charges()
        .filter(({ status }) => /^(authorized|voided)$/.test(status))
        .map(({ orderId: id, transactionRequests: calls }) => {
          const refunds = calls.filter(({ requestType }) => requestType === 'void')
          return { id, refundedCents: sum(refunds.map(({ amount }) => amount)) }
        }),
    notification(id, { isForged, ...how } = {}) {
      const told = fake.notification(fake.chargeOf(id).id, how)
      const signature = { 'x-plug-signature': '0'.repeat(128) }
      return isForged ? { ...told, headers: { ...told.headers, ...signature } } : told
    },
    forget() {
      fake.heal()
      fake.asked.splice(0)
      fake.book.charges.clear()
    },
  }
}

async function openPagarme(): Promise<FakeAcquirer> {
  const fake = await openFakePagarme()
  const orderOf = (id: string) => fake.ordersOf(id)[0]!
  let payment = {}
  return {
    ...fake,
    provider: 'pagarme',
    isElsewhere: true,
    on: { charge: /^POST .orders$/, read: /^GET .orders/, refund: /^DELETE .charges/ },
    buildCard: () => ({ method: 'credit_card' }),
    approve: (id) => void fake.pay(orderOf(id).id, payment),
    payAgain(id) {
      const second = fake.payAgain(orderOf(id).id)
      return () => second.canceled_amount ?? 0
    },
    takeOther(paidCents) {
      payment = { paidCents }
    },
    chargesOf: fake.ordersOf,
    listPaid: () =>
      [...fake.orders.values()].flatMap(({ code: id, charges }) =>
        charges
          .filter(({ paid_at }) => paid_at !== undefined)
          .map(({ canceled_amount = 0 }) => ({ id, refundedCents: canceled_amount })),
      ),
    notification: (id) => fake.notification(orderOf(id).id),
    forget() {
      payment = {}
      fake.heal()
      fake.asked.splice(0)
      fake.orders.clear()
    },
  }
}

function sum(amounts: number[]) {
  return amounts.reduce((total, amount) => total + amount, 0)
}
