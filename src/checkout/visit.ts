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
import { getPaymentState, type PaymentState } from './payment-state.ts'
import { type Attempt, readAttempts } from './visit-cookie.ts'

/** How long an approval counts as new for a browser without cookies. */
const NEW_APPROVAL_MS = 2 * MINUTE_MS

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
  approvalSeenMs: number
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
    approvalSeenMs: Math.max(0, ...attempts.map(({ approvalSeenMs }) => approvalSeenMs ?? 0)),
    stateOf: (row) => getPaymentState(row, link, now),
  }
}

/**
 * Returns the payment that must be shown first, to a page or form that knows this browser's payments until `knownMs`
 * (0: none); undefined when it knows all.
 */
export function findNewer(
  { attempts, made, approvalSeenMs, stateOf }: Visit,
  knownMs: number,
  open: readonly PaymentState[] = UNDER_WAY,
) {
  const seen = new Set(
    attempts.flatMap(({ token, approvalSeenMs: at }) => (at === null ? [] : [token])),
  )
  const unseen = made.find((row) => row.approvedAt && !seen.has(row.attemptToken))
  if (unseen) return unseen
  // A payment begun after an approval was seen is meant to be another one.
  const sinceMs = Math.max(approvalSeenMs, knownMs)
  const begun = made.find(
    (row) => Date.parse(row.createdAt) > sinceMs && open.includes(stateOf(row)),
  )
  if (begun || approvalSeenMs <= knownMs) return begun
  const last = attempts.find((attempt) => attempt.approvalSeenMs === approvalSeenMs)
  return made.find(({ attemptToken }) => attemptToken === last?.token)
}

/**
 * Returns what must be shown before a payment's page that asks for money; only for the browser's own payments. Its
 * address may know later payments than the payment itself.
 */
export async function findNewerThanPayment(
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
  return isOwn ? findNewer(visit, knownMs, MOVING) : undefined
}

/**
 * Returns what must be shown before a sent form is processed, except its own payment. `supersedes` are the browser's
 * payments that the new one replaces.
 */
export async function findNewerThanForm(
  request: FastifyRequest,
  { token, knownMs }: FormAttempt,
  { db, link, now }: VisitInput,
): Promise<{ newer?: TransactionRow | undefined; supersedes: string[] }> {
  const others = readAttempts(request, link.slug).filter((attempt) => attempt.token !== token)
  if (others.length === 0) return { supersedes: [] }
  const visit = await recallVisit(request, { db, link, now })
  // A payer who left before the bank answered may not know that there is nothing left to pay.
  const moving = visit.made.find(
    (row) => row.status === 'processing' && visit.stateOf(row) === 'processing',
  )
  const newer = findNewer(visit, knownMs) ?? moving
  return {
    newer: newer?.attemptToken === token ? undefined : newer,
    supersedes: listSuperseded(visit, token),
  }
}

/**
 * Lists this browser's card payments that wait for 3DS, expired or not, and its open Pix codes, except that of the form
 * of `token`.
 */
export function listSuperseded({ made }: Visit, token: string) {
  const open = made.filter(isGivenUpByOthers)
  return open.filter(({ attemptToken }) => attemptToken !== token).map(({ id }) => id)
}

/** Returns the beginning of a form, and what its browser stores. */
export function openForm({ attempts, made, stateOf }: Visit) {
  const [last] = attempts
  const isSpent = made.some(({ attemptToken }) => attemptToken === last?.token)
  const current = last && !isSpent ? last : { token: newToken(), approvalSeenMs: null }
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
  return [
    known ?? { token, approvalSeenMs: null },
    ...attempts.filter((attempt) => attempt !== known),
  ]
}

/**
 * Whether this browser sees the approval for the first time: only then it is sent back to the company. `attempts` is
 * what the browser stores.
 */
export function acknowledgeApproval(
  request: FastifyRequest,
  { attemptToken, approvedAt }: TransactionRow,
  { link, now }: Omit<VisitInput, 'db'>,
): { isFirstSeen: boolean; attempts?: Attempt[] } {
  if (!approvedAt) return { isFirstSeen: false }
  const nowMs = now.getTime()
  const attempts = readAttempts(request, link.slug)
  if (attempts.length === 0)
    return { isFirstSeen: nowMs - Date.parse(approvedAt) < NEW_APPROVAL_MS }
  const own = attempts.find(({ token }) => token === attemptToken)
  if (own?.approvalSeenMs !== null) return { isFirstSeen: false }
  const seen = { ...own, approvalSeenMs: nowMs }
  return {
    isFirstSeen: true,
    attempts: attempts.map((attempt) => (attempt === own ? seen : attempt)),
  }
}
