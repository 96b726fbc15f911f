// Who is back at a link, and what they have to see first. Each page and each form knows of its browser's payments
// until the instant at which it was made. What came after that comes before it: an approval that its payer has not
// been shown, one that was shown on another page meanwhile, a payment that is under way.
import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { isDerivedToken, newToken } from '../database/id.ts'
import { MINUTE_MS } from '../database/instant.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { isGivenUpByOthers } from '../transactions/give-up.ts'
import { listTransactionsByAttempt, type TransactionRow } from '../transactions/transaction.ts'
import type { FormAttempt } from './form.ts'
import { getPaymentState } from './payment/state.ts'
import type { PaymentState } from './payment/view-models.ts'
import { type Attempt, readAttempts } from './visit-cookie.ts'

/** How long an approval is news to a browser that keeps no cookies. */
const NEWS_MS = 2 * MINUTE_MS

/** An attempt that failed is not resumed: the form is, with what was typed. */
const UNDER_WAY: readonly PaymentState[] = ['pix', 'challenge', 'redirect', 'processing', 'held']
/** Money may be moving already. */
const MOVING: readonly PaymentState[] = ['processing', 'held']
/** Pages that ask for money, or lead to a form that does. */
const ASKING: readonly PaymentState[] = [
  'pix',
  'challenge',
  'redirect',
  'declined',
  'expired',
  'canceled',
  'soldOut',
]

type VisitInput = { db: Database; link: LinkRow; now: Date }

export type Visit = {
  attempts: Attempt[]
  /** What became of them, the newest first. */
  made: TransactionRow[]
  /** When this browser was last shown an approval that was new to it; 0 where it never was. */
  heardMs: number
  stateOf(row: TransactionRow): PaymentState
}

/** A stranger costs no query. */
export async function recallVisit(
  request: FastifyRequest,
  { db, link, now }: VisitInput,
): Promise<Visit> {
  const attempts = readAttempts(request, link.slug)
  const tokens = attempts.map(({ token }) => token)
  return {
    attempts,
    made: tokens.length > 0 ? await listTransactionsByAttempt(db, link.id, tokens) : [],
    heardMs: Math.max(0, ...attempts.map(({ heardMs }) => heardMs ?? 0)),
    stateOf: (row) => getPaymentState(row, link, now),
  }
}

/**
 * The payment that comes before what knows of this browser's payments until `knownMs` (0: of none); undefined
 * where that is up to date.
 */
export function findNews(
  { attempts, made, heardMs, stateOf }: Visit,
  knownMs: number,
  open: readonly PaymentState[] = UNDER_WAY,
) {
  const heard = new Set(attempts.flatMap(({ token, heardMs: at }) => (at === null ? [] : [token])))
  const unheard = made.find((row) => row.approvedAt && !heard.has(row.attemptToken))
  if (unheard) return unheard
  // What was begun by somebody who knew of an approval is meant to be one more.
  const sinceMs = Math.max(heardMs, knownMs)
  const begun = made.find(
    (row) => Date.parse(row.createdAt) > sinceMs && open.includes(stateOf(row)),
  )
  if (begun || heardMs <= knownMs) return begun
  const last = attempts.find((attempt) => attempt.heardMs === heardMs)
  return made.find(({ attemptToken }) => attemptToken === last?.token)
}

/**
 * What comes before the page of a payment that asks for money; of others' payments nothing does. Its address may
 * know of more than the payment did when it was made.
 */
export async function findNewsOfPayment(
  request: FastifyRequest,
  row: TransactionRow,
  { db, link, now, addressMs }: VisitInput & { addressMs: number },
) {
  if (!ASKING.includes(getPaymentState(row, link, now))) return undefined
  const others = readAttempts(request, link.slug).filter(({ token }) => token !== row.attemptToken)
  if (others.length === 0) return undefined
  const visit = await recallVisit(request, { db, link, now })
  const isOwn = visit.attempts.some(({ token }) => token === row.attemptToken)
  const knownMs = Math.max(addressMs, Date.parse(row.createdAt))
  return isOwn ? findNews(visit, knownMs, MOVING) : undefined
}

/**
 * What comes before a form that is sent; the same form sent again is no news to itself. `waiting` are the payments of
 * its browser that it is made instead of.
 */
export async function findNewsOfForm(
  request: FastifyRequest,
  { token, knownMs }: FormAttempt,
  { db, link, now }: VisitInput,
): Promise<{ news?: TransactionRow | undefined; waiting: string[] }> {
  const others = readAttempts(request, link.slug).filter((attempt) => attempt.token !== token)
  if (others.length === 0) return { waiting: [] }
  const visit = await recallVisit(request, { db, link, now })
  // A payer who left the page before the bank had an answer may not know that there is nothing left to pay.
  const moving = visit.made.find(
    (row) => row.status === 'processing' && visit.stateOf(row) === 'processing',
  )
  const news = findNews(visit, knownMs) ?? moving
  return {
    news: news?.attemptToken === token ? undefined : news,
    waiting: listWaiting(visit, token),
  }
}

/**
 * The card payments of this browser that wait for its payer at their bank, over or not, and its open Pix codes, but
 * for that of the form of `token`.
 */
export function listWaiting({ made }: Visit, token: string) {
  const waiting = made.filter(isGivenUpByOthers)
  return waiting.filter(({ attemptToken }) => attemptToken !== token).map(({ id }) => id)
}

/** What the form begins with, and what its browser keeps from now on. */
export function openForm({ attempts, made, stateOf }: Visit) {
  const [last] = attempts
  const isSpent = made.some(({ attemptToken }) => attemptToken === last?.token)
  const current = last && !isSpent ? last : { token: newToken(), heardMs: null }
  const failed = (row: TransactionRow) => !row.approvedAt && !UNDER_WAY.includes(stateOf(row))
  const kept = [...made.filter((row) => !failed(row)), ...made.filter(failed)]
  const earlier = kept.flatMap((row) => attempts.filter(({ token }) => token === row.attemptToken))
  return {
    token: current.token,
    attempts: [current, ...earlier],
    /**
     * Whose data it starts with: the payer of the last form that this browser sent. A code is renewed by whoever has
     * the address of its page, and learns nothing of its payer by that.
     */
    payer: made.find(({ attemptToken }) => !isDerivedToken(attemptToken)),
    /** A card payment that waits for its payer at their bank. */
    confirmation: made.find((row) => stateOf(row) === 'challenge'),
    /** Whether this browser was not here in the last day. */
    isFirst: attempts.length === 0,
  }
}

/** What a browser keeps once it has sent the form of this attempt. */
export function addAttempt(request: FastifyRequest, { slug }: LinkRow, token: string): Attempt[] {
  const attempts = readAttempts(request, slug)
  const known = attempts.find((attempt) => attempt.token === token)
  return [known ?? { token, heardMs: null }, ...attempts.filter((attempt) => attempt !== known)]
}

/**
 * Whether this browser is shown for the first time that its payment was approved: it is sent back to the company
 * then, and nobody is when they look at a receipt. `attempts` is what it keeps from now on.
 */
export function acknowledgeApproval(
  request: FastifyRequest,
  { attemptToken, approvedAt }: TransactionRow,
  { link, now }: Omit<VisitInput, 'db'>,
): { isNews: boolean; attempts?: Attempt[] } {
  if (!approvedAt) return { isNews: false }
  const nowMs = now.getTime()
  const attempts = readAttempts(request, link.slug)
  if (attempts.length === 0) return { isNews: nowMs - Date.parse(approvedAt) < NEWS_MS }
  const own = attempts.find(({ token }) => token === attemptToken)
  if (own?.heardMs !== null) return { isNews: false }
  const heard = { ...own, heardMs: nowMs }
  return { isNews: true, attempts: attempts.map((attempt) => (attempt === own ? heard : attempt)) }
}
