// What a browser keeps of a link between visits, in one cookie per link: the attempt its form
// belongs to, so that a second tab is the same attempt, and the last payment, to be resumed.
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { newToken } from '../../database/id.ts'
import { DAY_MS, SECOND_MS } from '../../database/instant.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { findTransactionByAttempt, type TransactionRow } from '../../transactions/transaction.ts'
import { getPaymentState } from '../payment/page.ts'

const COOKIE_MAX_AGE_S = DAY_MS / SECOND_MS
const VISIT_COOKIE = /^([0-9A-Za-z]{24})(?:\.([0-9A-Za-z]{24}))?$/

type Visit = {
  attempt: string
  /** The attempt before, whose payer's data a new form starts with. */
  before: string | null
}

type ResolvedVisit = {
  visit: Visit
  /** The payment this browser made here last and that is still worth seeing. */
  resume: TransactionRow | undefined
  /** A card payment of this browser's that waits for it at its bank. */
  confirmation: TransactionRow | undefined
  /** Whose data the form starts with: the payer of this browser's last attempt. */
  payer: TransactionRow | undefined
  /** Whether this browser was not here in the last day. */
  isFirst: boolean
}

/** Who is back at this link. A stranger costs no query. */
export async function resolveVisit(
  request: FastifyRequest,
  { link, now, db }: { link: LinkRow; now: Date; db: Database },
): Promise<ResolvedVisit> {
  const last = readVisitCookie(request, link.slug)
  if (!last) {
    const visit = { attempt: newToken(), before: null }
    return { visit, resume: undefined, confirmation: undefined, payer: undefined, isFirst: true }
  }
  const made = await findTransactionByAttempt(db, link.id, last.attempt)
  if (made) {
    const resume = isResumable(made, now) ? made : undefined
    const visit = { attempt: newToken(), before: last.attempt }
    const confirmation = isConfirmable(made, now) ? made : undefined
    return { visit, resume, confirmation, payer: made, isFirst: false }
  }
  const payer = last.before ? await findTransactionByAttempt(db, link.id, last.before) : undefined
  const confirmation = payer && isConfirmable(payer, now) ? payer : undefined
  return { visit: last, resume: undefined, confirmation, payer, isFirst: false }
}

type CookieNeeds = { mount: string; secure: boolean }

/** By hand: nothing in it needs to be encoded, and it goes with every page. */
export function buildVisitCookie({ mount, secure }: CookieNeeds, slug: string, visit: Visit) {
  const { attempt, before } = visit
  const value = before ? `${attempt}.${before}` : attempt
  const flags = secure ? 'HttpOnly; Secure; SameSite=Lax' : 'HttpOnly; SameSite=Lax'
  const reach = `Max-Age=${COOKIE_MAX_AGE_S}; Path=${mount}/${slug}; ${flags}`
  return `${getVisitCookieName(slug)}=${value}; ${reach}`
}

function readVisitCookie(request: FastifyRequest, slug: string): Visit | undefined {
  const [, attempt, before = null] =
    request.cookies[getVisitCookieName(slug)]?.match(VISIT_COOKIE) ?? []
  return attempt ? { attempt, before } : undefined
}

/** An attempt that failed is not resumed: the form is, with what was typed. */
function isResumable(row: TransactionRow, now: Date) {
  return !['declined', 'expired', 'canceled', 'returned'].includes(getPaymentState(row, now))
}

function isConfirmable(row: TransactionRow, now: Date) {
  return getPaymentState(row, now) === 'challenge'
}

function getVisitCookieName(slug: string) {
  return `vintem_${slug}`
}
