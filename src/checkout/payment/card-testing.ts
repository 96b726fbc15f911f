// Stops whoever tries out stolen cards, before the provider is asked. Attempts to pay by card are counted
// over all processes, those under way with those declined, so that fifty sent at once are no way around:
// by link and address, by address, by card, and by link, which takes no cards for a while then.
import type { FastifyBaseLogger } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import type { Database, Db, Transaction } from '../../database/connect.ts'
import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from '../../database/drizzle.ts'
import type { Seal } from '../../database/encryption.ts'
import { CARD_LOCK } from '../../database/locks.ts'
import { cardAttempts, paymentLinks, transactions } from '../../database/tables.ts'
import { networkOf } from '../../http/ip.ts'
import { type Mailbox, queueMail } from '../../mail/outbox.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { repeat } from '../../queue/interval.ts'
import type { Precheck, PrecheckRefusal } from '../../transactions/create.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'

const MINUTE_MS = 60_000
const COOLDOWN_MS = 15 * MINUTE_MS
const LINK_WINDOW_MS = 60 * MINUTE_MS
const PAUSE_MS = 60 * MINUTE_MS
const MAX_PER_ADDRESS_AND_LINK = 5
const MAX_PER_CARD = 5
/** Of one address on all links, and of one link: many people may be behind either. */
const MAX_PER_ADDRESS = 20
const MAX_PER_LINK = 20
/** So many of the latest are looked at. */
const MAX_COUNTED = 1_000

const RETENTION_MS = 30 * 24 * 60 * MINUTE_MS
const PURGE_INTERVAL_MS = 60 * MINUTE_MS
const PURGE_BATCH_SIZE = 5_000

type CardAttemptInput = { row: TransactionRow; address: string }

type PrecheckNeeds = { seal: Seal; mail?: Mailbox | null }

/** Judges one attempt to pay by card and counts it. */
export function createCardPrecheck(
  { seal, mail }: PrecheckNeeds,
  { row, address }: CardAttemptInput,
): Precheck {
  const now = new Date(row.createdAt)
  const attempt = {
    transactionId: row.id,
    paymentLinkId: row.paymentLinkId,
    address: seal.digest('address of a card attempt', networkOf(address)),
    // Test cards are everybody's: they must not speak against anybody's real one.
    card: seal.digest(
      'card of a card attempt',
      `${row.testMode ? 'test' : 'live'} ${row.cardBrand} ${row.cardLast4}`,
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

/** For how long the link takes no cards; 0 where it takes them. */
export function getCardPauseSeconds({ cardsPausedUntil }: LinkRow, now: Date) {
  if (cardsPausedUntil === null) return 0
  return Math.max(0, Math.ceil((Date.parse(cardsPausedUntil) - now.getTime()) / 1_000))
}

/**
 * Ends early the pause that `link` was read with; false when it had none, or somebody else has ended it
 * since. What was declined before speaks against nobody on this link any more.
 */
export async function resumeCards(db: Db, link: LinkRow, now: Date) {
  const { id, companyId, cardsPausedUntil } = link
  if (cardsPausedUntil === null || getCardPauseSeconds(link, now) === 0) return false
  const resumed = await db
    .update(paymentLinks)
    .set({ cardsPausedUntil: now.toISOString() })
    .where(
      and(
        eq(paymentLinks.id, id),
        eq(paymentLinks.companyId, companyId),
        // Clocks differ: only the value that was read says whether the pause is still that one.
        eq(paymentLinks.cardsPausedUntil, cardsPausedUntil),
      ),
    )
    .returning({ id: paymentLinks.id })
  return resumed.length > 0
}

/** Deletes what is older than 30 days. */
export async function purgeCardAttempts(db: Database, now: Date) {
  const old = lt(cardAttempts.createdAt, subtractMs(now, RETENTION_MS))
  for (;;) {
    const some = sql`ctid in (select ctid from card_attempts where ${old} limit ${PURGE_BATCH_SIZE})`
    const { rowCount } = await db.delete(cardAttempts).where(some)
    if ((rowCount ?? 0) < PURGE_BATCH_SIZE) return
  }
}

type CardAttemptPurgeNeeds = { db: Database; log: FastifyBaseLogger; now: () => Date }

/** Forgets once an hour, until stopped. */
export function startCardAttemptPurge({ db, log, now }: CardAttemptPurgeNeeds) {
  const failure = 'old attempts to pay by card cannot be forgotten for now'
  return repeat({ pauseMs: PURGE_INTERVAL_MS, log, failure }, async () => {
    await purgeCardAttempts(db, now())
    return false
  })
}

type CardAttempt = typeof cardAttempts.$inferInsert

/** In one order for all, so that no two wait for each other. */
async function lockCardAttempts(tx: Transaction, { paymentLinkId, address, card }: CardAttempt) {
  const random = Buffer.from(paymentLinkId.slice(-8), 'hex')
  const keys = [random, address, card].map((bytes) => bytes.readInt32BE()).sort((a, b) => a - b)
  await tx.execute(
    sql`select pg_advisory_xact_lock(${CARD_LOCK}, key) from unnest(${sql.param(keys)}::int[]) as key`,
  )
}

type PrecheckInput = {
  attempt: CardAttempt
  mail: Mailbox | null | undefined
  testMode: boolean
  now: Date
}

async function checkCardLimits(
  tx: Transaction,
  link: LinkRow,
  { attempt, now, ...pause }: PrecheckInput,
): Promise<PrecheckRefusal | undefined> {
  const retryAfterSeconds = getCardPauseSeconds(link, now)
  if (retryAfterSeconds > 0) return { denied: 'paused', retryAfterSeconds }

  const [ofLink, ...ofSender] = await countCardAttempts(tx, buildAttemptGroups(attempt, link, now))
  if (ofLink!.declined >= MAX_PER_LINK) {
    await pauseCards(tx, { ...pause, link, declined: ofLink!.declined, now })
    return { denied: 'paused', retryAfterSeconds: PAUSE_MS / 1_000 }
  }
  const limits = [MAX_PER_ADDRESS_AND_LINK, MAX_PER_ADDRESS, MAX_PER_CARD]
  if (ofSender.some(({ declined }, i) => declined >= limits[i]!)) return TOO_MANY_DECLINES
  // Where many do pay, many may be paying.
  const full = isAtLimit(ofLink!, MAX_PER_LINK + ofLink!.approved)
  return full || ofSender.some((counted, i) => isAtLimit(counted, limits[i]!))
    ? OVER_CAPACITY
    : undefined
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

function isAtLimit({ declined, underWay }: AttemptCounts, max: number) {
  return declined + underWay >= max
}

const OVER_CAPACITY: PrecheckRefusal = { denied: 'busy', retryAfterSeconds: 60 }
const TOO_MANY_DECLINES: PrecheckRefusal = {
  denied: 'tooMany',
  retryAfterSeconds: COOLDOWN_MS / 1_000,
}

/** 91 is a bank or provider that would not work: no card was tried, and nothing speaks against anybody. */
const IS_DECLINED = sql`${transactions.status} = 'declined' and ${transactions.abecsCode} is distinct from '91'`
const IS_IN_PROGRESS = sql`${transactions.status} in ('processing', 'awaiting_authentication') and ${transactions.holdReason} is null`
const IS_APPROVED = sql`${transactions.approvedAt} is not null`

type AttemptCounts = { declined: number; underWay: number; approved: number }

/** The latest of each group, in one statement: others wait for it. */
async function countCardAttempts(tx: Transaction, groups: (SQL | undefined)[]) {
  const counts = groups.map((group, i) => {
    const latest = tx
      .select({ id: cardAttempts.transactionId })
      .from(cardAttempts)
      .where(group)
      .orderBy(desc(cardAttempts.createdAt))
      .limit(MAX_COUNTED)
    return sql`select ${i}::int as place,
      (count(*) filter (where ${IS_DECLINED}))::int as declined,
      (count(*) filter (where ${IS_IN_PROGRESS}))::int as "underWay",
      (count(*) filter (where ${IS_APPROVED}))::int as approved
      from ${transactions} where ${inArray(transactions.id, latest)}`
  })
  const all = sql.join(counts, sql` union all `)
  const { rows } = await tx.execute<AttemptCounts>(sql`${all} order by place`)
  return rows
}

type CardPause = Omit<PrecheckInput, 'attempt'> & { link: LinkRow; declined: number }

/** However many attempts come to the same end at once, one of them pauses and tells. */
async function pauseCards(tx: Transaction, pause: CardPause) {
  const { link, now } = pause
  const { id, cardsPausedUntil } = paymentLinks
  const until = new Date(now.getTime() + PAUSE_MS).toISOString()
  const over = or(isNull(cardsPausedUntil), lte(cardsPausedUntil, now.toISOString()))
  const paused = await tx
    .update(paymentLinks)
    .set({ cardsPausedUntil: until })
    .where(and(eq(id, link.id), over))
    .returning({ id })
  if (paused.length > 0) await notifyCardPause(tx, { ...pause, until })
}

/** The company's warning: once for each pause, never for a decline. */
async function notifyCardPause(
  tx: Transaction,
  { link, declined, until, mail, testMode, now }: CardPause & { until: string },
) {
  const { id: linkId, companyId, title: linkTitle, methods } = link
  await recordAudit(tx, {
    ...{ companyId, actor: 'Vintém', action: 'cards_paused' },
    ...{ subjectId: linkId, subject: linkTitle, now },
    details: { declined: String(declined), pausedUntil: until },
  })
  const data = { linkId, linkTitle, pix: methods.includes('pix'), until, testMode }
  const letter = { template: 'cards-paused', subjectId: linkId, data } as const
  await queueMail(mail, tx, { companyId, now }, letter)
}

function subtractMs(now: Date, ms: number) {
  return new Date(now.getTime() - ms).toISOString()
}
