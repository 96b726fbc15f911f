// What the fake Mercado Pago does when it is asked: make an order, find it, end it, give money back,
// quote installments.
import {
  accredit,
  cents,
  decimal,
  type FakeOrder,
  move,
  newOrder,
  paymentIn,
  refund,
} from './fake-mercadopago-book.ts'

export type Answer = { status: number; body?: unknown }
export type Asked = { method: string; path: string; query: URLSearchParams; body: unknown }

type Settings = {
  /** Whether an order tells what the payer paid, interest included, or the price alone. */
  tellsInterest: boolean
  /** What is charged instead of what was asked for. */
  otherCents: number | null
  refundStatus: string
  balanceIsShort: boolean
  /** An order made a moment ago is not found yet. */
  searchIsBlind: boolean
  /** Where the bank's pages are. */
  bankUrl: string
  /** What a method is like is said in a list, not as the description has it. */
  listsSettings: boolean
  /** Of the price, for each installment after the first. */
  interestPerPart: number
}

type Desk = { orders: Map<string, FakeOrder>; settings: Settings; now: () => Date }

export function openDesk(now: () => Date) {
  const settings: Settings = {
    tellsInterest: true,
    otherCents: null,
    refundStatus: 'processed',
    balanceIsShort: false,
    searchIsBlind: false,
    bankUrl: '',
    listsSettings: true,
    interestPerPart: 0.02,
  }
  return { orders: new Map<string, FakeOrder>(), settings, now }
}

export function work(desk: Desk, asked: Asked): Answer {
  const route = ROUTES.find(([method, path]) => method === asked.method && path.test(asked.path))
  return route?.[2](desk, asked) ?? problem(404, 'not_found')
}

const ROUTES: [string, RegExp, (desk: Desk, asked: Asked) => Answer][] = [
  ['POST', /^\/v1\/orders$/, create],
  ['GET', /^\/v1\/orders$/, search],
  ['GET', /^\/v1\/orders\/[^/]+$/, (desk, asked) => withOrder(desk, asked, read)],
  ['POST', /^\/v1\/orders\/[^/]+\/cancel$/, (desk, asked) => withOrder(desk, asked, cancel)],
  ['POST', /^\/v1\/orders\/[^/]+\/refund$/, (desk, asked) => withOrder(desk, asked, giveBack)],
  ['GET', /^\/v1\/payment_methods$/, listMethods],
  ['GET', /^\/v1\/payment_methods\/installments$/, installments],
]

function create({ orders, settings, now }: Desk, { body }: Asked): Answer {
  const order = newOrder(body as Parameters<typeof newOrder>[0], now())
  const payment = paymentIn(order)
  const { id, token = '' } = payment.payment_method
  if (token.startsWith('unknown')) return errors(400, 'invalid_card_token')
  if (settings.otherCents !== null) payment.amount = decimal(settings.otherCents)
  orders.set(order.id, order)
  if (id === 'pix') move(order, 'action_required', 'waiting_transfer', now())
  else decide({ orders, settings, now }, order, /^fake_(.+)_\w+$/.exec(token)?.[1] ?? 'ok')
  if (order.status !== 'failed') return { status: 201, body: order }
  const details = [`${payment.id}: ${payment.status_detail}`]
  const failure = { code: 'failed', message: 'The following transactions failed', details }
  return { status: 402, body: { errors: [failure], data: order } }
}

/** By the card's token: ok, challenge, processing, or the reason it is refused for. */
function decide(desk: Desk, order: FakeOrder, scenario: string) {
  const { payment_method } = paymentIn(order)
  const security = { validation: 'always', liability_shift: 'required' }
  payment_method.transaction_security = { ...security, type: 'frictionless' }
  if (scenario === 'ok') return pay(desk, order)
  if (scenario === 'processing') return move(order, 'processing', 'in_process', desk.now())
  if (scenario !== 'challenge') return move(order, 'failed', scenario, desk.now())
  const url = `${desk.settings.bankUrl}/3ds/${order.id}`
  payment_method.transaction_security = { ...security, type: 'challenge', url }
  move(order, 'action_required', 'pending_challenge', desk.now())
}

export function pay({ settings, now }: Desk, order: FakeOrder) {
  const { amount, payment_method } = paymentIn(order)
  const price = cents(amount)
  const { total } = planOf(price, payment_method.installments ?? 1, settings.interestPerPart)
  accredit(order, settings.tellsInterest ? total : price, now())
}

function search({ orders, settings }: Desk, { query }: Asked): Answer {
  const [from, to] = [query.get('begin_date'), query.get('end_date')]
  if (!from || !to) return problem(400, 'bad_request')
  const wanted = query.get('external_reference')
  const found = [...orders.values()].filter(({ created_date: at, external_reference }) => {
    return at >= from && at <= to && (wanted === null || external_reference === wanted)
  })
  const data = settings.searchIsBlind ? [] : found
  return { status: 200, body: { data, paging: { total: data.length, limit: 30, offset: 0 } } }
}

function withOrder(
  desk: Desk,
  asked: Asked,
  act: (desk: Desk, order: FakeOrder, asked: Asked) => Answer,
) {
  const order = desk.orders.get(asked.path.split('/')[3] ?? '')
  return order ? act(desk, order, asked) : problem(404, 'order_not_found')
}

function read(_desk: Desk, order: FakeOrder): Answer {
  return { status: 200, body: order }
}

function cancel({ now }: Desk, order: FakeOrder): Answer {
  if (order.status !== 'action_required') return problem(409, 'cannot_cancel_order')
  move(order, 'canceled', 'canceled_transaction', now())
  return { status: 200, body: order }
}

function giveBack({ settings, now }: Desk, order: FakeOrder, { body }: Asked): Answer {
  if (settings.balanceIsShort) return errors(400, 'insufficient_account_balance')
  if (order.status === 'refunded') return errors(409, 'order_already_refunded')
  if (order.status !== 'processed') return errors(409, 'cannot_refund_order')
  const part = (body as { transactions?: { amount: string }[] }).transactions?.[0]
  const made = refund(order, part ? cents(part.amount) : null, now(), settings.refundStatus)
  if (!made) return errors(400, 'invalid_refund_amount')
  const { id, status, status_detail } = order
  return { status: 201, body: { id, status, status_detail, transactions: { refunds: [made] } } }
}

function installments({ settings }: Desk, { query }: Asked): Answer {
  const amount = cents(query.get('amount') ?? '0')
  const payer_costs = Array.from({ length: 12 }, (_, i) => {
    const { part, total } = planOf(amount, i + 1, settings.interestPerPart)
    return { installments: i + 1, installment_amount: part / 100, total_amount: total / 100 }
  })
  const payment_method_id = query.get('payment_method_id')
  const plan = { payment_method_id, payment_type_id: 'credit_card', payer_costs }
  return { status: 200, body: [plan] }
}

function listMethods({ settings }: Desk): Answer {
  const body = METHODS.map((one) => ({
    ...one,
    settings: settings.listsSettings ? [one.settings] : one.settings,
  }))
  return { status: 200, body }
}

function planOf(amount: number, n: number, interestPerPart: number) {
  const part = Math.round((amount * (1 + interestPerPart * (n - 1))) / n)
  return n === 1 ? { part: amount, total: amount } : { part, total: part * n }
}

export function problem(status: number, error: string): Answer {
  return { status, body: { status, error, message: error } }
}

export function errors(status: number, code: string): Answer {
  const body = { status, error: code, message: code, errors: [{ code, message: code }] }
  return { status, body }
}

const METHODS = [
  { id: 'pix', name: 'Pix', payment_type_id: 'bank_transfer', status: 'active', settings: {} },
  method('debvisa', 'debit_card', '^4'),
  method('visa', 'credit_card', '^4', '^(4011)'),
  method('master', 'credit_card', '^5'),
]

function method(id: string, payment_type_id: string, pattern: string, exclusion_pattern = '') {
  const bin = { pattern, exclusion_pattern, installments_pattern: pattern }
  return { id, name: id, payment_type_id, status: 'active', settings: { bin } }
}
