// Stops people who try out stolen cards, before the provider is asked. Attempts to pay by card are counted
// over all processes, those in progress with those declined, so that fifty sent at once are no way around:
// by link and address, by address, by card, and by link, which takes no cards for a while then (card-pause.ts).

import type { Database, Transaction } from '../../database/connect.ts'
import { and, desc, eq, gt, inArray, lt, lte, type SQL, sql } from '../../database/drizzle.ts'
import { IN_PROGRESS_STATUSES } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { CARD_ATTEMPT_LOCK } from '../../database/locks.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { cardAttempts, transactions } from '../../database/tables.ts'
import { getNetwork } from '../../http/ip.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { getRetentionStart, purgeRows } from '../../queue/purge.ts'
import type { AttemptRefusal, Precheck } from '../../transactions/create.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { getCardPauseSeconds, PAUSE_MS, pauseCards } from './card-pause.ts'

const COOLDOWN_MS = 15 * MINUTE_MS
const LINK_WINDOW_MS = HOUR_MS
const MAX_PER_ADDRESS_AND_LINK = 5
const MAX_PER_CARD = 5
/** Of one address on all links, and of one link: many people may be behind either. */
const MAX_PER_ADDRESS = 20
const MAX_PER_LINK = 20
/** In the order of the groups that a sender belongs to (buildAttemptGroups). */
const SENDER_LIMITS = [MAX_PER_ADDRESS_AND_LINK, MAX_PER_ADDRESS, MAX_PER_CARD]
/** So many of the latest are looked at. */
const MAX_COUNTED = 1_000

type CardAttemptInput = { row: TransactionRow; address: string }

type PrecheckNeeds = { cipher: Cipher; mail?: Outbox | null }

/** Judges one attempt to pay by card and counts it. */
export function createCardPrecheck(
  { cipher, mail }: PrecheckNeeds,
  { row, address }: CardAttemptInput,
): Precheck {
  const now = new Date(row.createdAt)
  const attempt = {
    transactionId: row.id,
    paymentLinkId: row.paymentLinkId,
    address: cipher.hmac('address of a card attempt', getNetwork(address)),
    // Test cards are everybody's: they must not speak against anybody's real one.
    card: cipher.hmac(
      'card of a card attempt',
      // One that is entered at the provider's page is nobody's yet.
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

/** In one order for all, so that no two wait for each other. */
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
  // Where many do pay, many may be paying.
  const isFull = isAtLimit(ofLink, MAX_PER_LINK + ofLink.approved)
  return isFull || ofSender.some(({ counts, max }) => isAtLimit(counts, max))
    ? OVER_CAPACITY
    : { kind: 'allowed' }
}

/** Who is counted together: this link, this address on it, this address, this card. */
function buildAttemptGroups(
  { paymentLinkId, address, card }: CardAttempt,
  { cardsPausedUntil }: LinkRow,
  now: Date,
) {
  const [onLink, ofAddress] = [
    eq(cardAttempts.paymentLinkId, paymentLinkId),
    eq(cardAttempts.address, address),
  ]
  // A pause that was ended early begins the count anew.
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

/** 91 is a bank or provider that would not work: no card was tried, and nothing speaks against anybody. */
const IS_DECLINED = sql`(${transactions.status} = 'declined' and ${transactions.abecsCode} is distinct from '91')`
const IS_IN_PROGRESS = sql`(${inArray(transactions.status, IN_PROGRESS_STATUSES)} and ${transactions.holdReason} is null)`
const IS_APPROVED = sql`${transactions.approvedAt} is not null`

type AttemptCounts = { declined: number; inProgress: number; approved: number }

/** The latest of each group, in one statement: others wait for it. */
async function countCardAttempts(tx: Transaction, groups: (SQL | undefined)[], now: Date) {
  // Nobody confirmed in time: in progress no more, and declined as soon as that is noted.
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
    return sql`select ${i}::int as place,
      (count(*) filter (where ${IS_DECLINED} or (${hasLapsed})))::int as declined,
      (count(*) filter (where ${IS_IN_PROGRESS} and (${hasLapsed}) is not true))::int as "inProgress",
      (count(*) filter (where ${IS_APPROVED}))::int as approved
      from ${transactions} where ${inArray(transactions.id, latest)}`
  })
  const all = sql.join(counts, sql` union all `)
  const { rows } = await tx.execute<AttemptCounts>(sql`${all} order by place`)
  return rows
}

function subtractMs(now: Date, ms: number) {
  return new Date(now.getTime() - ms).toISOString()
}

// Attempts to pay by card are counted for an hour at most, and kept for as long as somebody may ask.
const RETENTION_DAYS = 30

/** One batch of what is older than 30 days. */
export async function purgeCardAttempts(db: Database, now: Date) {
  const start = getRetentionStart(now, RETENTION_DAYS)
  return purgeRows(db, cardAttempts, lt(cardAttempts.createdAt, start))
}
