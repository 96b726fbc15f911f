// The fake Mercado Pago's orders, with one payment each; the test moves them from state to state.
import { randomBytes } from 'node:crypto'

type FakeRefund = { id: string; transaction_id: string; amount: string; status: string }

/** `amount` in reais; null where an order tells none. */
type FakeChargeback = {
  id: string
  transaction_id: string
  case_id: string
  status: string
  amount: string | null
}

export type FakeOrder = ReturnType<typeof createFakeOrder>

type NewOrderBody = {
  total_amount: string
  external_reference: string
  config?: { online?: { transaction_security?: Record<string, string> } }
  transactions: {
    payments: {
      amount: string
      expiration_time?: string
      payment_method: { id: string; type: string; token?: string; installments?: number }
    }[]
  }
}

const PIX_CODE = '00020101021226580014br.gov.bcb.pix0136fake-mercado-pago520400005303986'

/** As asked for, not yet decided: a Pix waits, a card is whatever its token says. */
export function createFakeOrder(asked: NewOrderBody, now: Date) {
  const [{ amount, expiration_time, payment_method }] = asked.transactions.payments as [
    NewOrderBody['transactions']['payments'][number],
  ]
  const minutes = Number(/^PT(\d+)M$/.exec(expiration_time ?? '')?.[1] ?? 40)
  const at = now.toISOString()
  return {
    id: `ORDTST${randomBytes(13).toString('hex').toUpperCase()}`,
    type: 'online',
    processing_mode: 'automatic',
    status: 'processing',
    status_detail: 'in_process',
    external_reference: asked.external_reference,
    total_amount: asked.total_amount,
    total_paid_amount: undefined as string | undefined,
    country_code: 'BRA',
    created_date: at,
    last_updated_date: at,
    transactions: {
      payments: [
        {
          id: `PAY${randomBytes(13).toString('hex').toUpperCase()}`,
          amount,
          paid_amount: undefined as string | undefined,
          status: 'processing',
          status_detail: 'in_process',
          date_of_expiration: new Date(now.getTime() + minutes * 60_000).toISOString(),
          payment_method: {
            ...payment_method,
            ...(payment_method.id === 'pix' && { qr_code: `${PIX_CODE}${amount}` }),
            e2e_id: undefined as string | undefined,
            transaction_security: asked.config?.online?.transaction_security,
          },
        },
      ],
      refunds: [] as FakeRefund[],
      chargebacks: [] as FakeChargeback[],
    },
  }
}

export function getFakePayment(order: FakeOrder) {
  return order.transactions.payments[0]!
}

export function moveOrder(order: FakeOrder, status: string, detail: string, now: Date) {
  const payment = getFakePayment(order)
  payment.status = status
  payment.status_detail = detail
  order.status = status
  order.status_detail = status === 'failed' ? 'failed' : detail
  order.last_updated_date = now.toISOString()
}

/** @param paid what the order tells that the payer paid, in cents. */
export function accreditOrder(order: FakeOrder, paid: number, now: Date) {
  const payment = getFakePayment(order)
  payment.paid_amount = formatCents(paid)
  order.total_paid_amount = payment.paid_amount
  if (payment.payment_method.id === 'pix') {
    payment.payment_method.e2e_id = `E${randomBytes(16).toString('hex').slice(0, 31)}`
  }
  moveOrder(order, 'processed', 'accredited', now)
}

/** The payer pays once more, beside or instead of the payment that the order has. */
export function payFakeOrderAgain(order: FakeOrder, now: Date) {
  const first = getFakePayment(order)
  const id = `PAY${randomBytes(13).toString('hex').toUpperCase()}`
  const paid = { status: 'processed', status_detail: 'accredited', paid_amount: first.amount }
  const payment = { ...structuredClone(first), id, ...paid }
  order.transactions.payments.push(payment)
  order.status = 'processed'
  order.last_updated_date = now.toISOString()
  return payment
}

type FakeRefundRequest = { amount: number | null; paymentId?: string | undefined; status?: string }

/** False when less than that is left. */
export function refundFakeOrder(
  order: FakeOrder,
  { amount, paymentId, status = 'processed' }: FakeRefundRequest,
  now: Date,
) {
  const { payments, refunds } = order.transactions
  const payment = payments.find(({ id }) => id === paymentId) ?? getFakePayment(order)
  const gone = refunds
    .filter(({ transaction_id }) => transaction_id === payment.id)
    .reduce((sum, one) => sum + parseCents(one.amount), 0)
  const left = parseCents(payment.amount) - gone
  const given = amount ?? left
  if (given <= 0 || given > left) return undefined
  const made = {
    id: `REF${randomBytes(13).toString('hex').toUpperCase()}`,
    transaction_id: payment.id,
    amount: formatCents(given),
    status,
  }
  refunds.push(made)
  if (payments.length > 1) {
    const whole = { status: 'refunded', status_detail: 'refunded' }
    Object.assign(payment, given === left ? whole : { status_detail: 'partially_refunded' })
  } else if (given === left) moveOrder(order, 'refunded', 'refunded', now)
  else moveOrder(order, 'processed', 'partially_refunded', now)
  return made
}

/** The payer's bank takes the money back, or asks for it. */
export function disputeFakeOrder(
  order: FakeOrder,
  { status, amount }: { status: string; amount: number | null },
  now: Date,
) {
  const { id: transaction_id } = getFakePayment(order)
  const suffix = order.id.slice(6)
  const chargeback = {
    ...{ id: `CBK${suffix}`, transaction_id, case_id: `2330000${suffix.slice(0, 6)}`, status },
    amount: amount === null ? null : formatCents(amount),
  }
  order.transactions.chargebacks = [chargeback]
  moveOrder(order, 'charged_back', status, now)
  return chargeback
}

export function parseCents(amount: string) {
  return Math.round(Number(amount) * 100)
}

export function formatCents(amount: number) {
  return (amount / 100).toFixed(2)
}
