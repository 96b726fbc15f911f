// One payment and its bank without a database: what a bank's book may come to, and what is heard of it.
import fc from 'fast-check'
import { newId } from '../../../src/database/id.ts'
import { MINUTE_MS } from '../../../src/database/instant.ts'
import { AppError } from '../../../src/http/errors.ts'
import type { ChargeOutcome, ProviderDispute } from '../../../src/providers/provider.ts'
import type { ReceivedPix } from '../../../src/providers/received.ts'
import type { Books, Fact, Surroundings } from '../../../src/transactions/books.ts'
import { sumAmounts } from '../../../src/transactions/incoming/amounts.ts'
import { decide } from '../../../src/transactions/lifecycle.ts'
import { buildRefunds, planRefund } from '../../../src/transactions/refunds/create.ts'
import { getRefundable } from '../../../src/transactions/refunds/refundable.ts'
import {
  buildAttemptRow,
  type RefundRow,
  type TransactionRow,
} from '../../../src/transactions/transaction.ts'
import { COMPANY, LINK } from './rows.ts'

const CREATED_AT = new Date('2026-11-28T11:00:00.000Z')
export const TOTAL = 10_000

export function newBooks(changes: Partial<TransactionRow> = {}): Books {
  const payer = { name: 'Maria', email: 'maria@exemplo.com.br', taxId: '52998224725', phone: null }
  const quote = {
    installments: 1,
    installmentCents: TOTAL,
    totalCents: TOTAL,
    firstInstallmentCents: TOTAL,
    interestCents: 0,
    rateBps: 0,
    hash: '',
  }
  const {
    linkVersion: _,
    companyVersion: __,
    payer: ___,
    ...row
  } = buildAttemptRow({
    link: { ...LINK, amountCents: TOTAL },
    company: COMPANY,
    customerId: newId(),
    payer,
    method: 'pix',
    quote,
    attemptToken: 'token',
    card: null,
    now: CREATED_AT,
  })
  const provider = 'pix-api' as const
  return { payment: { ...row, provider, ...changes }, received: [], refunds: [], disputes: [] }
}

export const CARD = {
  method: 'credit_card',
  status: 'processing',
  provider: 'mercadopago',
} as const

export const APPROVED_CARD = {
  status: 'approved',
  reference: 'charge',
  paidCents: TOTAL,
  paidAt: '2026-11-28T11:00:30.000Z',
} as const

export function buildAnswer(outcome: ChargeOutcome): Fact {
  return { kind: 'answer', outcome, source: 'reconciliation' }
}

/** What is told, one fact after another; `clocks` says by how many minutes the clock of each is off. */
export function openPayment(start: Books, apartMs = MINUTE_MS, clocks: readonly number[] = []) {
  let books = start
  const events: string[] = []
  const bodies: Record<string, unknown>[] = []
  const mails: string[] = []
  const statuses: string[] = [start.payment.status]
  let facts = 0
  const getNow = () =>
    new Date(CREATED_AT.getTime() + facts * apartMs + (clocks[facts] ?? 0) * MINUTE_MS)

  function applyFact(fact: Fact, more: Partial<Surroundings> = {}) {
    facts++
    const decision = decide(books, fact, {
      now: getNow(),
      link: LINK,
      checkoutUrl: 'https://loja.example/pagar',
      askedCheckAt: books.payment.checkAt,
      paymentsLeft: 10,
      twinId: null,
      feeTerms: null,
      bookedElsewhere: new Set<string>(),
      unshownSince: null,
      voidedSince: null,
      ...more,
    })
    const { effects } = decision
    books = decision.books
    events.push(...effects.events.map(({ type }) => type))
    bodies.push(...effects.events.map(({ data }) => data))
    mails.push(...effects.mails.map(({ template }) => template))
    statuses.push(books.payment.status)
    return decision
  }

  /** Sets amounts aside as a company's request does, and throws what it throws. */
  function requestRefund(asked: AskedRefund = {}) {
    const { companyId, id: transactionId } = books.payment
    const parts = planRefund(getRefundable(books, getNow()), asked)
    const made = buildRefunds({ id: newId(), companyId, transactionId }, parts, getNow())
    books = { ...books, refunds: [...books.refunds, ...made] }
    return made
  }

  return { applyFact, requestRefund, events, bodies, mails, statuses, read: () => books }
}

export type AskedRefund = { amountCents?: number; incomingPaymentId?: string | null }

/** A Pix that waits for its payer, and the book of its bank, in which a test writes. */
export function openPix(changes: Partial<TransactionRow> = {}) {
  const waiting = { expiresAt: EXPIRES_AT, pixBrCode: 'code', providerReference: 'charge' }
  const payment = openPayment(newBooks({ ...waiting, ...changes }))
  const { applyFact, read, requestRefund } = payment
  const bank: BankBook = { pix: [], disputes: [] }

  function pay(amountCents: number, more: Partial<ReceivedPix> = {}) {
    const seconds = bank.pix.length + 1
    const paidAt = new Date(CREATED_AT.getTime() + seconds * 1_000).toISOString()
    const pix = { endToEndId: `E${seconds}`, amountCents, paidAt, refundedCents: 0, ...more }
    bank.pix.push(pix)
    return pix
  }

  /** Of this Pix of the bank's book, lost unless told otherwise; it may be changed until the next check. */
  function contest(
    pix: ReceivedPix | null,
    amountCents: number,
    more: Partial<ProviderDispute> = {},
  ) {
    const dispute: ProviderDispute = {
      ...{ reference: `D${bank.disputes.length}`, kind: 'med', reason: 'MED_FRAUDE', amountCents },
      ...{ endToEndId: pix?.endToEndId ?? null, status: 'lost', respondBy: null },
      ...{ openedAt: CREATED_AT.toISOString(), closedAt: CREATED_AT.toISOString(), ...more },
    }
    bank.disputes.push(dispute)
    return dispute
  }

  function check() {
    applyFact(toAnswer(bank))
    return read().payment
  }

  /** The bank has carried out these refunds of ours, or refuses them. */
  function endRefunds(made: readonly RefundRow[], isDone = true) {
    for (const { id: refundId, incomingPaymentId, amountCents } of made) {
      const row = read().received.find(({ id }) => id === incomingPaymentId)
      const pix = bank.pix.find(({ endToEndId }) => endToEndId === row?.endToEndId)
      if (isDone && pix) pix.refundedCents += amountCents
      applyFact({ kind: 'refund answer', refundId, verdict: isDone ? toDone(refundId) : REFUSED })
    }
    return read().payment
  }

  const refund = (asked: AskedRefund = {}) => endRefunds(requestRefund(asked))
  return { ...payment, bank, pay, contest, check, endRefunds, refund }
}

const REFUSED = { status: 'failed', reason: 'refused' } as const
const toDone = (reference: string) => ({ status: 'succeeded', reference }) as const

// What a bank's book may come to: it only grows.

type Deed =
  | { kind: 'paid'; cents: number; at: string }
  | { kind: 'returned'; pix: number; cents: number }
  | { kind: 'contested'; pix: number; cents: number; end: 'won' | 'lost' | 'open' }

const cents = fc.integer({ min: 1, max: 1_400 }).map((tenths) => tenths * 10)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    kind: fc.constant('paid' as const),
    cents: fc.oneof(fc.constant(TOTAL), cents),
    at: fc.constantFrom(
      '1970-01-01T00:00:00.000Z',
      '2026-11-28T11:00:30.000Z',
      '2026-11-28T11:40:00.000Z',
      '2099-12-31T00:00:00.000Z',
    ),
  }),
  fc.record({ kind: fc.constant('returned' as const), pix: fc.nat(3), cents }),
  fc.record({
    kind: fc.constant('contested' as const),
    pix: fc.nat(3),
    cents,
    end: fc.constantFrom('won' as const, 'lost' as const, 'open' as const),
  }),
)

export type BankBook = { pix: ReceivedPix[]; disputes: ProviderDispute[] }

/** The bank's book after each of these, and never more taken of a Pix than it brought. */
function growBook(deeds: readonly Deed[]): BankBook[] {
  let book: BankBook = { pix: [], disputes: [] }
  return deeds.map((one) => {
    book = growOnce(book, one)
    return book
  })
}

function growOnce({ pix, disputes }: BankBook, one: Deed): BankBook {
  if (one.kind === 'paid') {
    const endToEndId = `E${pix.length}`
    const paid = { endToEndId, amountCents: one.cents, paidAt: one.at, refundedCents: 0 }
    return { pix: [...pix, paid], disputes }
  }
  const found = pix[one.pix]
  if (!found) return { pix, disputes }
  const contested = disputes.filter(({ endToEndId }) => endToEndId === found.endToEndId)
  const left = found.amountCents - found.refundedCents - sumAmounts(contested)
  const amountCents = Math.min(one.cents, left)
  if (amountCents <= 0) return { pix, disputes }
  if (one.kind === 'returned') {
    const refundedCents = found.refundedCents + amountCents
    return { pix: pix.map((row) => (row === found ? { ...row, refundedCents } : row)), disputes }
  }
  const openedAt = '2026-11-28T12:00:00.000Z'
  const dispute: ProviderDispute = {
    reference: `D${disputes.length}`,
    kind: 'med',
    endToEndId: found.endToEndId,
    reason: null,
    amountCents,
    status: one.end,
    openedAt,
    respondBy: null,
    closedAt: one.end === 'open' ? null : openedAt,
  }
  return { pix, disputes: [...disputes, dispute] }
}

/** A dispute ends, or its bank corrects how it ended. */
function endDispute(
  { pix, disputes }: BankBook,
  turned: { dispute: number; end: 'won' | 'lost' },
): BankBook {
  const closedAt = '2026-11-28T13:00:00.000Z'
  const end = (row: ProviderDispute) => ({ ...row, status: turned.end, closedAt })
  return { pix, disputes: disputes.map((row, i) => (i === turned.dispute ? end(row) : row)) }
}

export const bankBooks = fc.array(deed, { minLength: 1, maxLength: 8 }).map(growBook)

export function toAnswer({ pix: received, disputes }: BankBook): Fact {
  const outcome: ChargeOutcome =
    received.length > 0
      ? { status: 'approved', reference: 'charge', received, disputes }
      : { status: 'pending', reference: 'charge', pixBrCode: 'code', expiresAt: EXPIRES_AT }
  return buildAnswer(outcome)
}

export const EXPIRES_AT = '2026-11-28T11:30:00.000Z'

export const happenings = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: deed },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), cents }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('answered' as const), isDone: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ kind: 'time ran out' as const }, { kind: 'no answer' as const }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('turned' as const),
        dispute: fc.nat(3),
        end: fc.constantFrom('won' as const, 'lost' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'accepted' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'unread' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('accepted' as const), amountCents: fc.nat(TOTAL) }),
    },
  ),
  { minLength: 1, maxLength: 14 },
)

type Happening = typeof happenings extends fc.Arbitrary<(infer One)[]> ? One : never

/** What happens to one payment at its bank, at its company and by the clock. */
export function applyHappenings(happened: readonly Happening[], clocks: readonly number[] = []) {
  const payment = openPayment(newBooks(), MINUTE_MS, clocks)
  let book: BankBook = { pix: [], disputes: [] }
  for (const one of happened) {
    switch (one.kind) {
      case 'refund':
        tryRefund(payment, one.cents)
        break
      case 'answered':
        answerRefund(payment, one.isDone)
        break
      case 'accepted':
        tryAccept(payment, 'amountCents' in one ? one.amountCents : undefined)
        break
      case 'unread':
        payment.applyFact(buildAnswer(UNREADABLE))
        break
      case 'time ran out':
      case 'no answer':
        payment.applyFact(one)
        break
      case 'turned':
        book = endDispute(book, one)
        payment.applyFact(toAnswer(book))
        break
      default:
        book = growOnce(book, one)
        payment.applyFact(toAnswer(book))
    }
  }
  /** The refunds that are on their way are refused, and the bank's book is read once more. */
  function comeToRest() {
    for (const { status } of payment.read().refunds)
      if (status === 'pending') answerRefund(payment, false)
    payment.applyFact(toAnswer(book))
    return payment.read()
  }
  return { ...payment, comeToRest }
}

function answerRefund({ applyFact, read }: ReturnType<typeof openPayment>, isDone: boolean) {
  const pending = read().refunds.find(({ status }) => status === 'pending')
  if (!pending) return
  const { id: refundId } = pending
  applyFact({ kind: 'refund answer', refundId, verdict: isDone ? toDone(refundId) : REFUSED })
}

/** Of a held payment all that came in. */
function tryRefund({ read, requestRefund }: ReturnType<typeof openPayment>, cents: number) {
  const refundable = getRefundable(read(), CREATED_AT)
  if (refundable.kind === 'refused' || refundable.leftCents === 0) return
  const { isHeld, leftCents } = refundable
  requestRefund(isHeld ? {} : { amountCents: Math.min(cents, leftCents) })
}

const UNREADABLE = { status: 'unreadable', reference: 'charge', field: 'valor' } as const
const REFUSALS = ['invalid_transition', 'validation_error']

function tryAccept({ applyFact }: ReturnType<typeof openPayment>, amountCents: number | undefined) {
  try {
    applyFact({ kind: 'accepted', amountCents })
  } catch (refusal) {
    if (!(refusal instanceof AppError && REFUSALS.includes(refusal.code))) throw refusal
  }
}
