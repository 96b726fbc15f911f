// Limits before a payer is asked to wait: all payments by link and address, and open Pix codes by link and company;
// cards are in card-testing.ts. Also the texts that the payer reads.

import { hash } from 'node:crypto'
import { listOfferedMethods } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { and, eq, gt, inArray, type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { buildMinUuid } from '../../database/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { transactions } from '../../database/tables.ts'
import { getNetwork } from '../../http/ip.ts'
import { buildNetworkLimits, countHits, type Limiter } from '../../http/limiter.ts'
import type { LinkRow, LinkWithCompany } from '../../payment-links/payment-link.ts'
import type { AttemptRefusal } from '../../transactions/create.ts'
import type { CheckoutNeeds } from '../needs.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { getCardPauseSeconds } from './card-pause.ts'

/** The reason and the wait; a repeated form is no further payment. */
type LimitNotice = {
  message: string
  method?: 'pix'
  retryAfterSeconds: number
  isBlockedByPayments?: boolean
}

type AttemptSender = { attempt: string; address: string; t: CheckoutTexts }

/** Many people may share one address. */
const PAYMENT_LIMIT = { max: 30, windowMs: MINUTE_MS }
const DOCUMENT_LIMIT = { max: 10, windowMs: 10 * MINUTE_MS }
/** The number of unpaid Pix codes that is normal for a link and for a company. */
const MAX_OPEN_OF_LINK = 200
const MAX_OPEN_OF_COMPANY = 1_000
/** At most this many are counted. */
const MAX_COUNTED = 5_000
/** Exceeded by a network that has begun a Pix at this company within a day. */
const BEGUN_BEFORE = { max: 1, windowMs: DAY_MS }

type LimitResult = { kind: 'counted' } | { kind: 'limited'; notice: LimitNotice }
const COUNTED: LimitResult = { kind: 'counted' }

export async function limitPayments(
  limiter: Limiter,
  { id }: LinkRow,
  { attempt, address, t }: AttemptSender,
): Promise<LimitResult> {
  const limits = buildNetworkLimits(`pay:${id}`, address, PAYMENT_LIMIT)
  const hit = await countHits(limiter, limits, attempt)
  return hit.exceeded ? toLimited(t.failures.tooManyAttempts, hit.retryAfterMs) : COUNTED
}

/**
 * Guesses of a linked customer's document are limited by link and address; sending the same document again with the same
 * form, as the form's script does, is no further guess.
 */
export async function limitDocuments(
  limiter: Limiter,
  { id }: LinkRow,
  { typed, attempt, address, t }: AttemptSender & { typed: string },
): Promise<LimitResult> {
  const limits = buildNetworkLimits(`document:${id}`, address, DOCUMENT_LIMIT)
  const hit = await countHits(limiter, limits, hash('sha256', `${attempt} ${typed}`))
  return hit.exceeded ? toLimited(t.problems.tooManyDocuments, hit.retryAfterMs) : COUNTED
}

/**
 * While too many Pix codes of the link or its company are open, all networks that are new to the company share one
 * limit; networks that have paid or begun there before are not limited.
 */
export async function limitOpenPix(
  { db, limiter, now }: CheckoutNeeds,
  { id, companyId }: LinkRow,
  { address, t }: Omit<AttemptSender, 'attempt'>,
): Promise<LimitResult> {
  const begun = `payer:${companyId}:${getNetwork(address)}`
  const { exceeded: isKnown } = await limiter.countHit(begun, BEGUN_BEFORE)
  if (isKnown || !(await hasManyOpenPix(db, { id, companyId }, now()))) return COUNTED
  const turn = await limiter.countHit(`new-payers:${id}`, PAYMENT_LIMIT)
  if (!turn.exceeded) return COUNTED
  await limiter.undoHit(begun)
  return toLimited(t.problems.manyPix, turn.retryAfterMs)
}

/** Counts the last hour. Each paid code allows one more open one, since busy links have more. */
async function hasManyOpenPix(db: Database, link: Pick<LinkRow, 'id' | 'companyId'>, now: Date) {
  const hourAgoMs = now.getTime() - HOUR_MS
  const ofCompany = eq(transactions.companyId, link.companyId)
  const isOpen = and(
    inArray(transactions.status, ['pending', 'processing']),
    gt(transactions.id, buildMinUuid(hourAgoMs)),
    eq(transactions.method, 'pix'),
    gt(transactions.expiresAt, now.toISOString()),
  )
  const open = await countByLink(db, link, and(ofCompany, isOpen))
  if (open.ofLink < MAX_OPEN_OF_LINK && open.ofCompany < MAX_OPEN_OF_COMPANY) return false
  const isPaid = gt(transactions.approvedAt, new Date(hourAgoMs).toISOString())
  const paid = await countByLink(db, link, and(ofCompany, isPaid))
  return (
    open.ofLink >= MAX_OPEN_OF_LINK + paid.ofLink ||
    open.ofCompany >= MAX_OPEN_OF_COMPANY + paid.ofCompany
  )
}

async function countByLink(db: Database, { id }: Pick<LinkRow, 'id'>, where: SQL | undefined) {
  const some = db
    .select({ linkId: transactions.paymentLinkId })
    .from(transactions)
    .where(where)
    .limit(MAX_COUNTED)
    .as('some')
  const [counts] = await db
    .select({
      ofCompany: sql<number>`count(*)::int`,
      ofLink: sql<number>`(count(*) filter (where ${eq(some.linkId, id)}))::int`,
    })
    .from(some)
  return requireFound(counts)
}

function toLimited(message: string, retryAfterMs: number): LimitResult {
  const retryAfterSeconds = Math.ceil(retryAfterMs / SECOND_MS)
  return { kind: 'limited', notice: { message, retryAfterSeconds } }
}

/** Returns the notice of a link's card pause before anything is counted; undefined when cards are accepted. */
export function getCardPauseNotice(
  found: LinkWithCompany,
  now: Date,
  t: CheckoutTexts,
): LimitNotice | undefined {
  const retryAfterSeconds = getCardPauseSeconds(found.link, now)
  if (retryAfterSeconds === 0) return undefined
  return toLimitNotice(found, { reason: 'paused', retryAfterSeconds }, t)
}

/** Suggests Pix if the link offers it. */
export function toLimitNotice(
  found: LinkWithCompany,
  { reason, retryAfterSeconds }: Omit<AttemptRefusal, 'kind'>,
  t: CheckoutTexts,
): LimitNotice {
  const limit = { retryAfterSeconds, isBlockedByPayments: reason !== 'paused' }
  const message = getCardTexts(found, t)[reason]
  return isPixOffered(found) ? { ...limit, message, method: 'pix' } : { ...limit, message }
}

/** The texts about cards, which name Pix only if the link offers it. */
export function getCardTexts(found: LinkWithCompany, { cards, cardsOnly }: CheckoutTexts) {
  return isPixOffered(found) ? cards : cardsOnly
}

function isPixOffered({ link, company }: LinkWithCompany) {
  return listOfferedMethods(company, link.methods).includes('pix')
}
