// What the fake Malga does when it is asked: charge a card, find a charge, give money back, keep webhooks. Written from
// Malga's description (0.5), its SDKs and its samples.
import { randomUUID } from 'node:crypto'
import { type Answer, type Asked, openIdempotencyKeys } from '../server.ts'

type FakeCall = {
  id: string
  requestType: string
  requestStatus: string
  amount: number
  idempotencyKey: string
  createdAt: string
  providerError?: { declinedCode: string; networkDeniedReason?: string; retryable?: boolean }
}

export type FakeCharge = {
  id: string
  orderId: string
  merchantId: string
  status: string
  amount: number
  originalAmount: number | undefined
  createdAt: string
  isDispute: boolean
  threeDSecure2: Record<string, unknown>
  paymentSource: { sourceType: 'card'; cardId: string }
  transactionRequests: FakeCall[]
}

type FakeWebhook = { id: string; event: string; endpoint: string; status: boolean }

export type Manner = {
  /** What is charged instead of what was asked for. */
  otherCents: number | null
  /** How a refund goes: `success`, `failed`, `processing`, `timeout`. */
  refunds: string
  /** Whether a call's key is the one that it was asked with; else it is one of Malga's own. */
  keepsKeys: boolean
  /** Whether what went back is taken off the amount. */
  shrinks: boolean
  /** Whether the answer to a refund lists it. */
  listsRefunds: boolean
  /** Whether a list heeds what it was asked for. */
  heedsOrderId: boolean
  /** Where a webhook's key is told: with the list, with each webhook, or nowhere. */
  tellsKeys: 'list' | 'each' | 'never'
  /** What the bank is said to have said of a card that it authenticated. */
  eci: string | null
  /** Where the bank's pages are. */
  bankUrl: string
  /** How it writes what it answers. */
  speak: (body: unknown) => unknown
}

export const MERCHANT_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

export function newMalgaBook(now: () => Date, publicKey: string) {
  const manner: Manner = {
    otherCents: null,
    refunds: 'success',
    keepsKeys: true,
    shrinks: true,
    listsRefunds: true,
    heedsOrderId: true,
    tellsKeys: 'list',
    eci: '05',
    bankUrl: 'https://bank.example',
    speak: (body) => body,
  }
  const charges = new Map<string, FakeCharge>()
  const webhooks: FakeWebhook[] = []
  // What was refused before it began is not kept.
  const keys = openIdempotencyKeys({
    header: 'x-idempotency-key',
    isKept: ({ status }) => status !== 400,
  })
  return { now, publicKey, manner, charges, webhooks, keys }
}

export type MalgaBook = ReturnType<typeof newMalgaBook>

type Act = (book: MalgaBook, asked: Asked, charge: FakeCharge) => Answer

export function answerFrom(book: MalgaBook, asked: Asked): Answer {
  const call = `${asked.method} ${asked.path.slice('/v1/'.length)}`
  const [, act] = ACTS.find(([on]) => on.test(call)) ?? []
  const charge = book.charges.get(asked.path.split('/')[3] ?? '')
  const isOfCharge = call.includes(' charges/') && !call.endsWith('/setup')
  return !act || (isOfCharge && !charge) ? buildProblem(404) : act(book, asked, charge!)
}

const ACTS: [RegExp, Act][] = [
  [/^POST auth$/, () => ({ status: 201, body: { publicKey: `pk_${randomUUID()}` } })],
  [/^GET merchants\/[^/]+$/, getMerchant],
  [/^POST charges\/3ds\/setup$/, setUp],
  [/^POST charges$/, (book, asked) => book.keys.once(asked, () => makeCharge(book, asked))],
  [/^GET charges$/, listCharges],
  [/^GET charges\/[^/]+$/, (_book, _asked, charge) => ({ status: 200, body: charge })],
  [
    /^POST charges\/[^/]+\/void$/,
    (book, asked, charge) => book.keys.once(asked, () => voidCharge(book, charge, asked)),
  ],
  [/^GET cards\/[^/]+$/, getCard],
  [/^GET webhooks$/, listWebhooks],
  [/^GET webhooks\/[^/]+$/, getWebhook],
  [/^POST webhooks$/, makeWebhook],
]

function getMerchant(_book: MalgaBook, { path }: Asked): Answer {
  const isKnown = path.endsWith(MERCHANT_ID)
  return isKnown ? { status: 200, body: { id: MERCHANT_ID, status: 'active' } } : buildProblem(404)
}

function getCard({ charges }: MalgaBook, { path }: Asked): Answer {
  const isKnown = [...charges.values()].some((one) => path.endsWith(one.paymentSource.cardId))
  const card = { brand: 'Visa', first6digits: '401959', last4digits: '9339' }
  return isKnown
    ? { status: 200, body: { ...card, cardHolderName: 'Maria Silva' } }
    : buildProblem(404)
}

function listWebhooks(book: MalgaBook): Answer {
  return { status: 200, body: { items: book.webhooks.map((one) => show(book, one, 'list')) } }
}

function getWebhook(book: MalgaBook, { path }: Asked): Answer {
  const found = book.webhooks.find(({ id }) => path.endsWith(id))
  return found ? { status: 200, body: show(book, found, 'each') } : buildProblem(404)
}

function setUp({ manner }: MalgaBook, { body: { tokenId } }: Asked): Answer {
  const collectUrl = `${manner.bankUrl}/V1/Cruise/Collect`
  const token = `jwt-of-${tokenId}`
  return { status: 201, body: { id: randomUUID(), token, collectUrl, error: null } }
}

type ChargeBody = {
  merchantId: string
  amount: number
  orderId: string
  paymentSource: { tokenId: string }
  threeDSecure2: Record<string, unknown>
}

/** By the card's token: ok, challenge, pending, unauthenticated, or the reason it is refused for. */
function makeCharge(book: MalgaBook, { headers, body }: Asked): Answer {
  const { merchantId, amount: asked, orderId, paymentSource, threeDSecure2 } = body as ChargeBody
  if (merchantId !== MERCHANT_ID) return buildProblem(400, ['merchantId must be a UUID'])
  const scenario = /^fake_(.+)_\w+$/.exec(paymentSource.tokenId)?.[1] ?? 'ok'
  if (scenario === 'declined_by_error') return declineByError()
  const amount = book.manner.otherCents ?? asked
  const createdAt = book.now().toISOString()
  const charge: FakeCharge = {
    ...{ id: randomUUID(), orderId, merchantId, status: 'pending', amount },
    ...{ originalAmount: amount, createdAt, isDispute: false },
    threeDSecure2: { ...threeDSecure2, authData: null },
    paymentSource: { sourceType: 'card', cardId: randomUUID() },
    transactionRequests: [],
  }
  book.charges.set(charge.id, charge)
  const key = String(headers['x-idempotency-key'])
  decideCharge(book, charge, { scenario, key })
  return { status: 201, body: charge }
}

function decideCharge(
  book: MalgaBook,
  charge: FakeCharge,
  { scenario, key }: { scenario: string; key: string },
) {
  if (scenario === 'ok') return authorizeCharge(book, charge, key)
  if (scenario === 'challenge') {
    const response = { stepUrl: `${book.manner.bankUrl}/StepUp`, token: `jwt-${charge.id}` }
    charge.threeDSecure2.authData = { action: 'redirect', responseType: 'authentication', response }
  } else if (scenario === 'old_challenge') {
    const response = { url: `${book.manner.bankUrl}/acs`, md: 'm', paReq: 'p', termUrl: 't' }
    charge.threeDSecure2.authData = { response }
  } else if (scenario === 'unauthenticated') {
    charge.status = 'failed'
  } else if (scenario !== 'pending') {
    const [declinedCode = '', networkDeniedReason = ''] = scenario.split('-')
    const call = addCall(book, charge, { requestType: 'authorization', requestStatus: 'failed' })
    call.providerError = { declinedCode, networkDeniedReason, retryable: false }
    charge.status = 'failed'
  }
}

export function authorizeCharge(book: MalgaBook, charge: FakeCharge, key = randomUUID() as string) {
  const { eci } = book.manner
  addCall(book, charge, { requestType: 'authorization', requestStatus: 'success', key })
  charge.status = 'authorized'
  if (eci) charge.threeDSecure2.authData = { ...(charge.threeDSecure2.authData ?? {}), eci }
}

function listCharges({ charges, manner }: MalgaBook, { query }: Asked): Answer {
  const found = [...charges.values()].filter(
    ({ orderId }) => !manner.heedsOrderId || orderId === query.orderId,
  )
  return { status: 200, body: { items: found, meta: { itemCount: found.length } } }
}

function voidCharge(book: MalgaBook, charge: FakeCharge, { headers, body }: Asked): Answer {
  const amount = Number(body.amount)
  const isOpen = ['authorized', 'pre_authorized'].includes(charge.status)
  if (!isOpen || amount > getLeft(charge)) {
    return buildProblem(400, ['amount exceeds what is left of the charge'])
  }
  const before = structuredClone(charge)
  refundFakeCharge(book, charge, amount, String(headers['x-idempotency-key']))
  const body_ = book.manner.listsRefunds ? charge : before
  return { status: 201, body: body_ }
}

/** By us, or by the company at Malga itself. */
export function refundFakeCharge(
  book: MalgaBook,
  charge: FakeCharge,
  amount: number,
  key = randomUUID() as string,
) {
  const { refunds: requestStatus, shrinks } = book.manner
  addCall(book, charge, { requestType: 'void', requestStatus, amount, key })
  if (requestStatus !== 'success') return
  const isWhole = amount === getLeft(charge, amount)
  if (isWhole) charge.status = charge.status === 'pre_authorized' ? 'canceled' : 'voided'
  if (shrinks) charge.amount -= amount
}

/** Before a refund that was just listed, where one was. */
function getLeft({ transactionRequests, originalAmount, amount }: FakeCharge, listed = 0) {
  const gone = transactionRequests
    .filter(
      ({ requestType, requestStatus }) => requestType === 'void' && requestStatus === 'success',
    )
    .reduce((sum, one) => sum + one.amount, 0)
  return (originalAmount ?? amount) - gone + listed
}

type NewCall = Pick<FakeCall, 'requestType' | 'requestStatus'> & { amount?: number; key?: string }

export function addCall(
  { now, manner }: Pick<MalgaBook, 'now' | 'manner'>,
  charge: FakeCharge,
  { key = randomUUID(), ...call }: NewCall,
): FakeCall {
  const made: FakeCall = {
    id: randomUUID(),
    createdAt: now().toISOString(),
    amount: charge.amount,
    idempotencyKey: manner.keepsKeys ? key : randomUUID(),
    ...call,
  }
  charge.transactionRequests.push(made)
  return made
}

function makeWebhook(book: MalgaBook, { body }: Asked): Answer {
  const { event, endpoint, status } = body as Omit<FakeWebhook, 'id'>
  const made = { id: randomUUID(), event, endpoint, status }
  book.webhooks.push(made)
  return { status: 201, body: { ...made, publicKey: book.publicKey } }
}

function show({ manner, publicKey }: MalgaBook, webhook: FakeWebhook, at: Manner['tellsKeys']) {
  const isTold = manner.tellsKeys === at || (at === 'each' && manner.tellsKeys === 'list')
  return isTold ? { ...webhook, publicKey } : webhook
}

function declineByError(): Answer {
  const error = { type: 'card_declined', code: 402, message: 'x', declined_code: 'stolen_card' }
  return { status: 402, body: { error } }
}

export function buildProblem(status: number, details?: string[]): Answer {
  const type = status === 404 ? 'entity_not_found' : 'bad_request'
  return { status, body: { error: { type, code: status, message: 'Bad Request', details } } }
}
