// What a browser keeps of a link between visits, in one cookie per link: the attempt its form
// belongs to, so that a second tab is the same attempt, and earlier ones, to be resumed.
import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { newToken } from '../database/id.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { listTransactionsByAttempt, type TransactionRow } from '../transactions/transaction.ts'
import { getPaymentState } from './payment/state.ts'
import type { PaymentState } from './payment/view-models.ts'

const COOKIE_MAX_AGE_S = DAY_MS / SECOND_MS
const MAX_EARLIER = 3
/** How long an approval is news to a browser that keeps no cookies. */
const NEWS_MS = 2 * MINUTE_MS
const VISIT_COOKIE = new RegExp(`^[0-9A-Za-z]{24}(\\.[0-9A-Za-z]{24}){0,${MAX_EARLIER}}$`)

/** An attempt that failed is not resumed: the form is, with what was typed. */
const FAILED: readonly PaymentState[] = ['declined', 'expired', 'canceled', 'soldOut']
const OVER: readonly PaymentState[] = [...FAILED, 'returned']
/** Pages that ask for money, or lead to a form that does. */
const ASKING: readonly PaymentState[] = ['pix', 'challenge', ...FAILED]

type Visit = {
  attempt: string
  /** Attempts before, the newest first. */
  earlier: readonly string[]
}

type ResolvedVisit = {
  visit: Visit
  /** The payment that this browser made here last of those that are still worth seeing. */
  resume: TransactionRow | undefined
  /** A card payment of this browser's that waits for it at its bank. */
  confirmation: TransactionRow | undefined
  /** Whose data the form starts with: the payer of this browser's last attempt. */
  payer: TransactionRow | undefined
  /** Whether this browser was not here in the last day. */
  isFirst: boolean
}

type VisitInput = { db: Database; link: LinkRow; now: Date }

/** Who is back at this link. A stranger costs no query. */
export async function resolveVisit(
  request: FastifyRequest,
  { db, link, now }: VisitInput,
): Promise<ResolvedVisit> {
  const last = readVisit(request, link)
  const made = await listMade(db, link, last)
  const stateOf = (row: TransactionRow) => getPaymentState(row, link, now)
  const resume = made.find((row) => !OVER.includes(stateOf(row)))
  const [payer] = made
  const isSpent = made.some(({ attemptToken }) => attemptToken === last?.attempt)
  const kept = new Set([payer, resume].flatMap((row) => row?.attemptToken ?? []))
  return {
    visit: { attempt: last && !isSpent ? last.attempt : newToken(), earlier: [...kept] },
    resume,
    confirmation: made.find((row) => stateOf(row) === 'challenge'),
    payer,
    isFirst: !last,
  }
}

/**
 * What this browser paid by a later attempt, where it left this one: its page, opened once more, must not ask
 * for the money again.
 */
export async function findLaterPayment(
  request: FastifyRequest,
  row: TransactionRow,
  { db, link, now }: VisitInput,
) {
  const last = readVisit(request, link)
  if (!last || last.attempt === row.attemptToken) return undefined
  if (!ASKING.includes(getPaymentState(row, link, now))) return undefined
  const made = await listMade(db, link, last)
  return made.find(({ approvedAt, createdAt }) => approvedAt && createdAt > row.createdAt)
}

/**
 * Whether this browser sees for the first time that its payment was approved: it is sent back to the company then,
 * and nobody is when they look at a receipt. `visit` is what it keeps from now on.
 */
export function readApproval(
  request: FastifyRequest,
  { attemptToken, approvedAt }: TransactionRow,
  { link, now }: Omit<VisitInput, 'db'>,
): { isNews: boolean; visit?: Visit } {
  const last = readVisit(request, link)
  if (!approvedAt || (last && last.attempt !== attemptToken)) return { isNews: false }
  if (!last) return { isNews: now.getTime() - Date.parse(approvedAt) < NEWS_MS }
  return { isNews: true, visit: { attempt: newToken(), earlier: listAttempts(last) } }
}

/** With an attempt that the browser has not heard of: its form was older than the cookie, or it had none. */
export function addAttempt(request: FastifyRequest, link: LinkRow, attempt: string) {
  const last = readVisit(request, link)
  return last?.attempt === attempt ? undefined : { attempt, earlier: listAttempts(last) }
}

type CookieNeeds = { mount: string; secure: boolean }

/** By hand: nothing in it needs to be encoded, and it goes with every page. */
export function buildVisitCookie(
  { mount, secure }: CookieNeeds,
  slug: string,
  { attempt, earlier }: Visit,
) {
  const value = [attempt, ...earlier.slice(0, MAX_EARLIER)].join('.')
  const flags = secure ? 'HttpOnly; Secure; SameSite=Lax' : 'HttpOnly; SameSite=Lax'
  const reach = `Max-Age=${COOKIE_MAX_AGE_S}; Path=${mount}/${slug}; ${flags}`
  return `${getVisitCookieName(slug)}=${value}; ${reach}`
}

function readVisit(request: FastifyRequest, { slug }: LinkRow): Visit | undefined {
  const value = request.cookies[getVisitCookieName(slug)] ?? ''
  const [attempt, ...earlier] = VISIT_COOKIE.test(value) ? value.split('.') : []
  return attempt ? { attempt, earlier } : undefined
}

function listAttempts(visit: Visit | undefined) {
  return visit ? [visit.attempt, ...visit.earlier] : []
}

/** The payments that those attempts became, the newest first. */
async function listMade(db: Database, link: LinkRow, visit: Visit | undefined) {
  return visit ? listTransactionsByAttempt(db, link.id, listAttempts(visit)) : []
}

function getVisitCookieName(slug: string) {
  return `vintem_${slug}`
}
