// The orders of the fake Pagar.me (fake.ts): what its API and its page make of them. What is not documented it does
// in either way, as `manner` says.
import { randomBytes } from 'node:crypto'
import type { Answer } from '../server.ts'

const MINUTE_MS = 60_000

export type FakeCharge = {
  id: string
  status: string
  amount: number
  paid_amount?: number
  canceled_amount?: number
  paid_at?: string | undefined
  created_at: string
  updated_at: string
  last_transaction: Record<string, unknown>
}
export type FakePagarmeOrder = {
  id: string
  code: string
  amount: number
  status: string
  closed: boolean
  charges: FakeCharge[]
  checkouts: Record<string, unknown>[]
  /** As it was asked for. */
  body: Record<string, unknown>
}

/** How a payer pays at the page; `code`: why the acquirer refuses the card. */
export type PagePayment = {
  code?: string
  paidCents?: number
  transaction?: Record<string, unknown>
}

export function newPagarmeLedger(now: () => Date) {
  return {
    now,
    orders: new Map<string, FakePagarmeOrder>(),
    manner: {
      /** Whether the page takes another card after one was refused. */
      isRetryable: true,
      /** Whether a page stays open when its order is closed. */
      keepsPages: false,
      searchIsBlind: false,
      speak: (body: unknown) => body,
    },
  }
}

export type PagarmeLedger = ReturnType<typeof newPagarmeLedger>

export const formatFakeInstant = (at: Date) => at.toISOString().slice(0, 19)

export function createFakeOrder(
  { orders, now }: PagarmeLedger,
  body: Record<string, unknown>,
  url: string,
) {
  const id = `or_${randomBytes(8).toString('hex')}`
  const [payment] = body.payments as { amount: number; checkout: Record<string, unknown> }[]
  const { checkout, amount } = payment!
  const expires = new Date(now().getTime() + Number(checkout.expires_in) * MINUTE_MS)
  const page = {
    ...{ id: `chk_${id}`, amount, status: 'open', payment_url: `${url}/page/${id}` },
    expires_at: formatFakeInstant(expires),
    ...{ success_url: checkout.success_url, credit_card: checkout.credit_card },
  }
  const order = {
    ...{ id, code: String(body.code), amount, status: 'pending', closed: false },
    ...{ charges: [], checkouts: [page], body },
  }
  orders.set(id, order)
  return showFakeOrder(order)
}

export function searchFakeOrders({ orders, manner }: PagarmeLedger, code: string | undefined) {
  const found = [...orders.values()].filter((order) => !code || order.code === code)
  return manner.searchIsBlind ? [] : found.map(({ id, code: own }) => ({ id, code: own }))
}

export function closeFakeOrder({ manner }: PagarmeLedger, order: FakePagarmeOrder) {
  order.closed = true
  if (order.charges.some(({ status }) => status === 'paid')) return
  order.status = 'canceled'
  if (!manner.keepsPages) order.checkouts[0]!.status = 'canceled'
}

export function cancelFakeCharge(
  ledger: PagarmeLedger,
  id: string,
  { amount }: Record<string, unknown>,
): Answer {
  const charges = [...ledger.orders.values()].flatMap((order) => order.charges)
  const charge = charges.find((one) => one.id === id)
  if (!charge) return { status: 404, body: { message: 'Charge not found.' } }
  const left = (charge.paid_amount ?? 0) - (charge.canceled_amount ?? 0)
  const cents = Number(amount ?? left)
  if (cents > left || left === 0)
    return { status: 412, body: { message: 'The amount to cancel is greater than what is left.' } }
  refundFakeCharge(ledger, charge, cents)
  return { status: 200, body: charge }
}

export function refundFakeCharge({ now }: PagarmeLedger, charge: FakeCharge, cents: number) {
  charge.canceled_amount = (charge.canceled_amount ?? 0) + cents
  if (charge.canceled_amount === charge.paid_amount) charge.status = 'canceled'
  charge.updated_at = formatFakeInstant(now())
  charge.last_transaction = { ...charge.last_transaction, status: 'partial_refunded' }
}

/** A payer types a card at the page; answers what became of the charge. */
export function payAtFakePage(ledger: PagarmeLedger, id: string, payment: PagePayment = {}) {
  const order = ledger.orders.get(id)!
  const page = order.checkouts[0]!
  if (page.status !== 'open') return 'closed'
  const isRefused = payment.code !== undefined
  const charge = buildFakeCharge(order, formatFakeInstant(ledger.now()), payment)
  order.charges.push(charge)
  order.status = charge.status
  if (!isRefused || !ledger.manner.isRetryable) page.status = 'closed'
  return charge.status
}

function buildFakeCharge(
  { amount }: FakePagarmeOrder,
  at: string,
  { code, paidCents = amount, transaction = {} }: PagePayment,
): FakeCharge {
  const id = `ch_${randomBytes(8).toString('hex')}`
  const card = { brand: 'Visa', last_four_digits: '1111', holder_name: 'Maria Silva' }
  const common = { id, amount, created_at: at, updated_at: at }
  if (code !== undefined) {
    const refused = { status: 'not_authorized', success: false, card, acquirer_return_code: code }
    return { ...common, status: 'failed', last_transaction: { ...refused, ...transaction } }
  }
  const paid = { status: 'captured', success: true, card, acquirer_return_code: '00' }
  const money = { status: 'paid', paid_at: at, paid_amount: paidCents }
  return { ...common, ...money, last_transaction: { ...paid, ...transaction } }
}

export function showFakeOrder({ body: _, ...order }: FakePagarmeOrder) {
  return order
}
