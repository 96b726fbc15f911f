// Recognises a returning payer, and finds what they must see first. Each page and form knows its browser's payments up
// to the instant of its creation. Later ones come first: an approval that the payer has not seen, one that was seen on
// another page meanwhile, a payment in progress.
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

/** How long an approval counts as new for a browser without cookies. */
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
  /** Their payments, newest first. */
  made: TransactionRow[]
  /** When this browser last showed a new approval; 0 when it never did. */
  heardMs: number
  stateOf(row: TransactionRow): PaymentState
}

/** A browser without attempts causes no query. */
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
 * Returns the payment that must be shown first, to a page or form that knows this browser's payments until `knownMs`
 * (0: none); undefined when it knows all.
 */
export function findNews(
  { attempts, made, heardMs, stateOf }: Visit,
  knownMs: number,
  open: readonly PaymentState[] = UNDER_WAY,
) {
  const heard = new Set(attempts.flatMap(({ token, heardMs: at }) => (at === null ? [] : [token])))
  const unheard = made.find((row) => row.approvedAt && !heard.has(row.attemptToken))
  if (unheard) return unheard
  // A payment begun after an approval was seen is meant to be another one.
  const sinceMs = Math.max(heardMs, knownMs)
  const begun = made.find(
    (row) => Date.parse(row.createdAt) > sinceMs && open.includes(stateOf(row)),
  )
  if (begun || heardMs <= knownMs) return begun
  const last = attempts.find((attempt) => attempt.heardMs === heardMs)
  return made.find(({ attemptToken }) => attemptToken === last?.token)
}

/**
 * Returns what must be shown before a payment's page that asks for money; only for the browser's own payments. Its
 * address may know later payments than the payment itself.
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
 * Returns what must be shown before a sent form is processed, except its own payment. `waiting` are the browser's
 * payments that the new one replaces.
 */
export async function findNewsOfForm(
  request: FastifyRequest,
  { token, knownMs }: FormAttempt,
  { db, link, now }: VisitInput,
): Promise<{ news?: TransactionRow | undefined; waiting: string[] }> {
  const others = readAttempts(request, link.slug).filter((attempt) => attempt.token !== token)
  if (others.length === 0) return { waiting: [] }
  const visit = await recallVisit(request, { db, link, now })
  // A payer who left before the bank answered may not know that there is nothing left to pay.
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
 * Lists this browser's card payments that wait for 3DS, expired or not, and its open Pix codes, except that of the form
 * of `token`.
 */
export function listWaiting({ made }: Visit, token: string) {
  const waiting = made.filter(isGivenUpByOthers)
  return waiting.filter(({ attemptToken }) => attemptToken !== token).map(({ id }) => id)
}

/** Returns the beginning of a form, and what its browser stores. */
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
     * The payer of the last form that this browser sent. A code may be renewed by others who have its address, and they
     * must not see its payer.
     */
    payer: made.find(({ attemptToken }) => !isDerivedToken(attemptToken)),
    /** A card payment that waits for 3DS. */
    confirmation: made.find((row) => stateOf(row) === 'challenge'),
    /** Whether this browser had no visit in the last day. */
    isFirst: attempts.length === 0,
  }
}

/** Returns what a browser stores after it has sent the form of this attempt. */
export function addAttempt(request: FastifyRequest, { slug }: LinkRow, token: string): Attempt[] {
  const attempts = readAttempts(request, slug)
  const known = attempts.find((attempt) => attempt.token === token)
  return [known ?? { token, heardMs: null }, ...attempts.filter((attempt) => attempt !== known)]
}

/**
 * Whether this browser sees the approval for the first time: only then it is sent back to the company. `attempts` is
 * what the browser stores.
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
