// Stops card testing (trying stolen cards) before the provider is asked. Attempts are counted over all processes, those
// in progress together with declined ones, so that fifty simultaneous attempts count too: by link and address, by
// address, by card, and by link, which then accepts no cards for a while (card-pause.ts).

import type { Database, Transaction } from '../../database/connect.ts'
import { and, desc, eq, gt, inArray, lt, lte, type SQL, sql } from '../../database/drizzle.ts'
import { IN_PROGRESS_STATUSES } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { CARD_ATTEMPT_LOCK } from '../../database/locks.ts'
import { cardAttempts, transactions } from '../../database/tables.ts'
import { getNetwork } from '../../http/ip.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { getRetentionStart, purgeRows } from '../../queue/purge.ts'
import type { AttemptRefusal, Precheck } from '../../transactions/create.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { getCardPauseSeconds, PAUSE_MS, pauseCards } from './card-pause.ts'

const COOLDOWN_MS = 15 * MINUTE_MS
const LINK_WINDOW_MS = HOUR_MS
const MAX_PER_ADDRESS_AND_LINK = 5
const MAX_PER_CARD = 5
/** For one address on all links, and for one link: many people may share either. */
const MAX_PER_ADDRESS = 20
const MAX_PER_LINK = 20
/** In the order of a sender's groups (buildAttemptGroups). */
const SENDER_LIMITS = [MAX_PER_ADDRESS_AND_LINK, MAX_PER_ADDRESS, MAX_PER_CARD]
/** This many of the latest attempts are read. */
const MAX_COUNTED = 1_000

type CardAttemptInput = { row: TransactionRow; address: string }

/** Creates the precheck that checks and counts one attempt. */
export function createCardPrecheck(
  { cipher, mail }: CheckoutNeeds,
  { row, address }: CardAttemptInput,
): Precheck {
  const now = new Date(row.createdAt)
  const attempt = {
    transactionId: row.id,
    paymentLinkId: row.paymentLinkId,
    address: cipher.hmac('address of a card attempt', getNetwork(address)),
    // Test cards are public, so they must not count for a live card.
    card: cipher.hmac(
      'card of a card attempt',
      // A card that is entered at the provider's page is not known yet, so each attempt counts as another card.
      `${row.testMode ? 'test' : 'live'} ${row.cardBrand} ${row.cardLast4 ?? row.id}`,
    ),
    createdAt: row.createdAt,
  }
  return {
    lock: (tx) => lockCardAttempts(tx, attempt),
    check: (tx, link) => checkCardLimits(tx, link, { attempt, mail, testMode: row.testMode, now }),
    record: async (tx) => {
      await tx.insert(cardAttempts).values(attempt)
    },
  }
}

type CardAttempt = typeof cardAttempts.$inferInsert

/** Locks in one order, so that no two attempts deadlock. */
async function lockCardAttempts(tx: Transaction, { paymentLinkId, address, card }: CardAttempt) {
  const random = Buffer.from(paymentLinkId.slice(-8), 'hex')
  const keys = [random, address, card].map((bytes) => bytes.readInt32BE()).sort((a, b) => a - b)
  await tx.execute(
    sql`select pg_advisory_xact_lock(${CARD_ATTEMPT_LOCK}, key) from unnest(${sql.param(keys)}::int[]) as key`,
  )
}

type PrecheckInput = {
  attempt: CardAttempt
  mail: Outbox | null | undefined
  testMode: boolean
  now: Date
}

async function checkCardLimits(
  tx: Transaction,
  link: LinkRow,
  { attempt, now, ...pause }: PrecheckInput,
): Promise<{ kind: 'allowed' } | AttemptRefusal> {
  const retryAfterSeconds = getCardPauseSeconds(link, now)
  if (retryAfterSeconds > 0) return { kind: 'refused', reason: 'paused', retryAfterSeconds }

  const groups = buildAttemptGroups(attempt, link, now)
  const [first, ...rest] = await countCardAttempts(tx, groups, now)
  const ofLink = requireFound(first)
  const ofSender = rest.map((counts, i) => ({ counts, max: requireFound(SENDER_LIMITS[i]) }))
  const { declined } = ofLink
  if (declined >= MAX_PER_LINK) {
    await pauseCards(tx, { ...pause, link, declined, now })
    return { kind: 'refused', reason: 'paused', retryAfterSeconds: PAUSE_MS / SECOND_MS }
  }
  if (ofSender.some(({ counts, max }) => counts.declined >= max)) return TOO_MANY_DECLINES
  // On links with many paid payments, more payments may be in progress.
  const isFull = isAtLimit(ofLink, MAX_PER_LINK + ofLink.approved)
  return isFull || ofSender.some(({ counts, max }) => isAtLimit(counts, max))
    ? OVER_CAPACITY
    : { kind: 'allowed' }
}

/** The groups that are counted: this link, this address on it, this address, this card. */
function buildAttemptGroups(
  { paymentLinkId, address, card }: CardAttempt,
  { cardsPausedUntil }: LinkRow,
  now: Date,
) {
  const [onLink, ofAddress] = [
    eq(cardAttempts.paymentLinkId, paymentLinkId),
    eq(cardAttempts.address, address),
  ]
  // A pause that was ended early restarts the count.
  const hourAgo = subtractMs(now, LINK_WINDOW_MS)
  const watchedSince = cardsPausedUntil && cardsPausedUntil > hourAgo ? cardsPausedUntil : hourAgo
  const cooling = gt(cardAttempts.createdAt, subtractMs(now, COOLDOWN_MS))
  return [
    and(onLink, gt(cardAttempts.createdAt, watchedSince)),
    and(onLink, ofAddress, cooling),
    and(ofAddress, cooling),
    and(eq(cardAttempts.card, card), cooling),
  ]
}

function isAtLimit({ declined, inProgress }: AttemptCounts, max: number) {
  return declined + inProgress >= max
}

const OVER_CAPACITY: AttemptRefusal = {
  kind: 'refused',
  reason: 'overCapacity',
  retryAfterSeconds: 60,
}
const TOO_MANY_DECLINES: AttemptRefusal = {
  kind: 'refused',
  reason: 'tooMany',
  retryAfterSeconds: COOLDOWN_MS / SECOND_MS,
}

/** 91 is an unavailable bank or provider: no card was tried, so it does not count. */
const IS_DECLINED = sql`(${transactions.status} = 'declined' and ${transactions.abecsCode} is distinct from '91')`
const IS_IN_PROGRESS = sql`(${inArray(transactions.status, IN_PROGRESS_STATUSES)} and ${transactions.holdReason} is null)`
const IS_APPROVED = sql`${transactions.approvedAt} is not null`

type AttemptCounts = { declined: number; inProgress: number; approved: number }

/** Counts the latest attempts of each group in one statement, since other attempts wait for the result. */
async function countCardAttempts(tx: Transaction, groups: (SQL | undefined)[], now: Date) {
  // Expired confirmations are no longer in progress; they count as declined once that is recorded.
  const hasLapsed = and(
    eq(transactions.status, 'awaiting_authentication'),
    lte(transactions.expiresAt, now.toISOString()),
  )
  const counts = groups.map((group, i) => {
    const latest = tx
      .select({ id: cardAttempts.transactionId })
      .from(cardAttempts)
      .where(group)
      .orderBy(desc(cardAttempts.createdAt))
      .limit(MAX_COUNTED)
    return sql`select ${i}::int as position,
      (count(*) filter (where ${IS_DECLINED} or (${hasLapsed})))::int as declined,
      (count(*) filter (where ${IS_IN_PROGRESS} and (${hasLapsed}) is not true))::int as "inProgress",
      (count(*) filter (where ${IS_APPROVED}))::int as approved
      from ${transactions} where ${inArray(transactions.id, latest)}`
  })
  const all = sql.join(counts, sql` union all `)
  const { rows } = await tx.execute<AttemptCounts>(sql`${all} order by position`)
  return rows
}

function subtractMs(now: Date, ms: number) {
  return new Date(now.getTime() - ms).toISOString()
}

// Attempts count for at most an hour, and are kept for later questions.
const RETENTION_DAYS = 30

export async function purgeCardAttempts(db: Database, now: Date) {
  const start = getRetentionStart(now, RETENTION_DAYS)
  return purgeRows(db, cardAttempts, lt(cardAttempts.createdAt, start))
}
