// What the fake Mercado Pago does when it is asked: make an order, find it, end it, give money back,
// quote installments.
import type { Answer, Asked } from '../server.ts'
import {
  accreditOrder,
  createFakeOrder,
  type FakeOrder,
  formatCents,
  getFakePayment,
  moveOrder,
  parseCents,
  refundFakeOrder,
} from './orders.ts'

type FakeSettings = {
  /** Whether an order tells what the payer paid, interest included, or the price alone. */
  tellsInterest: boolean
  /** What is charged instead of what was asked for. */
  otherCents: number | null
  refundStatus: string
  /** Whether the answer to a refund names it, which the description leaves open. */
  namesRefunds: boolean
  balanceIsShort: boolean
  /** An order does not list its refunds yet. */
  lagsBehind: boolean
  /** An order made a moment ago is not found yet. */
  searchIsBlind: boolean
  /** Lists all payments, whenever they changed. */
  ignoresRange: boolean
  /** Lists no larger pages than this. */
  maxPageSize: number
  /** Where the bank's pages are. */
  bankUrl: string
  /** How it writes what it answers. */
  speak: (body: object) => unknown
  /** What a method is like is said in a list, not as the description has it. */
  listsSettings: boolean
  /** Of the price, for each installment after the first. */
  interestPerPart: number
  /** Whether banks say of cards without a challenge that they were authenticated. */
  authenticates: boolean
}

type FakeState = {
  orders: Map<string, FakeOrder>
  /** By the id of the case. */
  chargebacks: Map<string, object>
  /** What the Payments API tells of a payment, by our reference. */
  payouts: Map<string, object>
  settings: FakeSettings
  now: () => Date
}

export function createFakeState(now: () => Date) {
  const settings: FakeSettings = {
    tellsInterest: true,
    otherCents: null,
    refundStatus: 'processed',
    namesRefunds: true,
    balanceIsShort: false,
    lagsBehind: false,
    searchIsBlind: false,
    ignoresRange: false,
    maxPageSize: Number.POSITIVE_INFINITY,
    bankUrl: '',
    speak: (body) => body,
    listsSettings: true,
    interestPerPart: 0.02,
    authenticates: true,
  }
  const chargebacks = new Map<string, object>()
  const payouts = new Map<string, object>()
  return { orders: new Map<string, FakeOrder>(), chargebacks, payouts, settings, now }
}

export function handleFakeRequest(state: FakeState, asked: Asked): Answer {
  const route = FAKE_ROUTES.find(
    ([method, path]) => method === asked.method && path.test(asked.path),
  )
  return route?.[2](state, asked) ?? buildFakeProblem(404, 'not_found')
}

const FAKE_ROUTES: [string, RegExp, (state: FakeState, asked: Asked) => Answer][] = [
  ['POST', /^\/v1\/orders$/, createOrder],
  ['GET', /^\/v1\/orders$/, searchOrders],
  ['GET', /^\/v1\/orders\/[^/]+$/, (state, asked) => withOrder(state, asked, getOrder)],
  ['POST', /^\/v1\/orders\/[^/]+\/cancel$/, (state, asked) => withOrder(state, asked, cancelOrder)],
  ['POST', /^\/v1\/orders\/[^/]+\/refund$/, (state, asked) => withOrder(state, asked, refundOrder)],
  ['GET', /^\/v1\/chargebacks\/[^/]+$/, getChargeback],
  ['GET', /^\/v1\/payments\/search$/, searchPayments],
  ['GET', /^\/v1\/payment_methods$/, listMethods],
  ['GET', /^\/v1\/payment_methods\/installments$/, listInstallments],
]

function createOrder(state: FakeState, { body }: Asked): Answer {
  const { orders, settings, now } = state
  const order = createFakeOrder(body as Parameters<typeof createFakeOrder>[0], now())
  const payment = getFakePayment(order)
  const { id, token = '' } = payment.payment_method
  if (token.startsWith('unknown')) return buildFakeErrors(400, 'invalid_card_token')
  if (settings.otherCents !== null) payment.amount = formatCents(settings.otherCents)
  orders.set(order.id, order)
  if (id === 'pix') moveOrder(order, 'action_required', 'waiting_transfer', now())
  else decideOrder(state, order, /^fake_(.+)_\w+$/.exec(token)?.[1] ?? 'ok')
  if (order.status !== 'failed') return { status: 201, body: order }
  const details = [`${payment.id}: ${payment.status_detail}`]
  const failure = { code: 'failed', message: 'The following transactions failed', details }
  return { status: 402, body: { errors: [failure], data: order } }
}

/** By the card's token: ok, challenge, processing, or the reason it is refused for. */
function decideOrder(state: FakeState, order: FakeOrder, scenario: string) {
  const { payment_method } = getFakePayment(order)
  const security = payment_method.transaction_security
  const status = state.settings.authenticates ? 'success' : 'failed'
  payment_method.transaction_security = { ...security, type: 'frictionless', status }
  if (scenario === 'ok') return payOrder(state, order)
  if (scenario === 'processing') return moveOrder(order, 'processing', 'in_process', state.now())
  if (scenario !== 'challenge') return moveOrder(order, 'failed', scenario, state.now())
  const url = `${state.settings.bankUrl}/3ds/${order.id}`
  payment_method.transaction_security = { ...security, type: 'challenge', url }
  moveOrder(order, 'action_required', 'pending_challenge', state.now())
}

export function payOrder({ settings, now }: FakeState, order: FakeOrder) {
  const { amount, payment_method } = getFakePayment(order)
  const price = parseCents(amount)
  const { total } = computePlan(price, payment_method.installments ?? 1, settings.interestPerPart)
  accreditOrder(order, settings.tellsInterest ? total : price, now())
}

function searchOrders({ orders, settings }: FakeState, { query }: Asked): Answer {
  const [from, to] = [query.begin_date, query.end_date]
  if (!from || !to) return buildFakeProblem(400, 'bad_request')
  const wanted = query.external_reference
  const found = [...orders.values()].filter(({ created_date: at, external_reference }) => {
    return at >= from && at <= to && (wanted === undefined || external_reference === wanted)
  })
  const data = settings.searchIsBlind ? [] : found
  return { status: 200, body: { data, paging: { total: data.length, limit: 30, offset: 0 } } }
}

function withOrder(
  state: FakeState,
  asked: Asked,
  act: (state: FakeState, order: FakeOrder, asked: Asked) => Answer,
) {
  const order = state.orders.get(asked.path.split('/')[3] ?? '')
  return order ? act(state, order, asked) : buildFakeProblem(404, 'order_not_found')
}

function getChargeback({ chargebacks }: FakeState, { path }: Asked): Answer {
  const found = chargebacks.get(path.split('/')[3] ?? '')
  return found ? { status: 200, body: found } : buildFakeProblem(404, 'chargeback_not_found')
}

function searchPayments(state: FakeState, { query }: Asked): Answer {
  if (!query.sort || !query.criteria) return buildFakeProblem(400, 'bad_request')
  if (query.range) return listChangedPayments(state, query)
  const found = state.payouts.get(query.external_reference ?? '')
  return { status: 200, body: { results: found ? [found] : [] } }
}

/** The newest change first, as it is asked for. */
function listChangedPayments(state: FakeState, query: Asked['query']): Answer {
  const { range, sort, begin_date: from = '', end_date: to = '' } = query
  if (range !== 'date_last_updated' || sort !== range) return buildFakeProblem(400, 'bad_request')
  const limit = Math.min(Number(query.limit ?? 30), state.settings.maxPageSize)
  const offset = Number(query.offset ?? 0)
  const changed = [...state.orders.values()]
    .filter(({ last_updated_date: at }) => state.settings.ignoresRange || (at >= from && at <= to))
    .toSorted((a, b) => b.last_updated_date.localeCompare(a.last_updated_date))
    .flatMap((order) => toChangedPayments(state, order))
  const results = changed.slice(offset, offset + limit)
  return { status: 200, body: { paging: { total: changed.length, limit, offset }, results } }
}

/** The Payments API has numbers for amounts, and other words for the states of an order's payments. */
function toChangedPayments({ payouts }: FakeState, { external_reference, ...order }: FakeOrder) {
  const { payments, refunds } = order.transactions
  return payments.map(({ id, status, status_detail, amount }) => {
    const refunded = refunds.filter(({ transaction_id }) => transaction_id === id)
    return {
      ...{ id, external_reference, status_detail, transaction_amount: Number(amount) },
      status: PAYMENT_STATUSES[status] ?? status,
      transaction_amount_refunded: refunded.reduce((sum, one) => sum + Number(one.amount), 0),
      date_last_updated: order.last_updated_date,
      ...payouts.get(external_reference),
    }
  })
}

const PAYMENT_STATUSES: Record<string, string> = {
  ...{ processed: 'approved', action_required: 'pending', processing: 'in_process' },
  ...{ failed: 'rejected', canceled: 'cancelled' },
}

function getOrder({ settings }: FakeState, order: FakeOrder): Answer {
  if (!settings.lagsBehind) return { status: 200, body: order }
  const payments = order.transactions.payments.map((payment) => ({
    ...payment,
    ...{ status: 'processed', status_detail: 'accredited' },
  }))
  const transactions = { ...order.transactions, payments, refunds: [] }
  return { status: 200, body: { ...order, status: 'processed', transactions } }
}

function cancelOrder({ now }: FakeState, order: FakeOrder): Answer {
  if (order.status !== 'action_required') return buildFakeProblem(409, 'cannot_cancel_order')
  moveOrder(order, 'canceled', 'canceled_transaction', now())
  return { status: 200, body: order }
}

function refundOrder({ settings, now }: FakeState, order: FakeOrder, { body }: Asked): Answer {
  if (settings.balanceIsShort) return buildFakeErrors(400, 'insufficient_account_balance')
  if (order.status === 'refunded') return buildFakeErrors(409, 'order_already_refunded')
  if (order.status !== 'processed') return buildFakeErrors(409, 'cannot_refund_order')
  const part = (body as { transactions?: { id: string; amount: string }[] }).transactions?.[0]
  const asked = { amount: part ? parseCents(part.amount) : null, paymentId: part?.id }
  const made = refundFakeOrder(order, { ...asked, status: settings.refundStatus }, now())
  if (!made) return buildFakeErrors(400, 'invalid_refund_amount')
  const { id, status, status_detail } = order
  const transactions = settings.namesRefunds ? { refunds: [made] } : {}
  return { status: 201, body: { id, status, status_detail, transactions } }
}

function listInstallments({ settings }: FakeState, { query }: Asked): Answer {
  const amount = parseCents(query.amount ?? '0')
  const payer_costs = Array.from({ length: 12 }, (_, i) => {
    const { part, total } = computePlan(amount, i + 1, settings.interestPerPart)
    return { installments: i + 1, installment_amount: part / 100, total_amount: total / 100 }
  })
  const payment_method_id = query.payment_method_id
  const plan = { payment_method_id, payment_type_id: 'credit_card', payer_costs }
  return { status: 200, body: [plan] }
}

function listMethods({ settings }: FakeState): Answer {
  const body = FAKE_METHODS.map((one) => ({
    ...one,
    settings: settings.listsSettings ? [one.settings] : one.settings,
  }))
  return { status: 200, body }
}

function computePlan(amount: number, n: number, interestPerPart: number) {
  const part = Math.round((amount * (1 + interestPerPart * (n - 1))) / n)
  return n === 1 ? { part: amount, total: amount } : { part, total: part * n }
}

export function buildFakeProblem(status: number, error: string): Answer {
  return { status, body: { status, error, message: error } }
}

export function buildFakeErrors(status: number, code: string): Answer {
  const body = { status, error: code, message: code, errors: [{ code, message: code }] }
  return { status, body }
}

const FAKE_METHODS = [
  { id: 'pix', name: 'Pix', payment_type_id: 'bank_transfer', status: 'active', settings: {} },
  buildCardMethod('debvisa', 'debit_card', '^4'),
  buildCardMethod('visa', 'credit_card', '^4', '^(4011)'),
  buildCardMethod('master', 'credit_card', '^5'),
]

function buildCardMethod(
  id: string,
  payment_type_id: string,
  pattern: string,
  exclusion_pattern = '',
) {
  const bin = { pattern, exclusion_pattern, installments_pattern: pattern }
  return { id, name: id, payment_type_id, status: 'active', settings: { bin } }
}
