// Delivers due webhooks, each from its claim to the record of its outcome: woken when one becomes due (NOTIFY), when an
// attempt ends, and by a poll.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Dispatcher } from 'undici'
import type { Database } from '../../database/connect.ts'
import { and, eq, gt, gte, lt, sql } from '../../database/drizzle.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import type { Listener } from '../../database/listen.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { LEASE_MS, releaseClaim } from '../../queue/lease.ts'
import { type Jobs, runDueJobs, startWorker } from '../../queue/worker.ts'
import { isOutage } from '../../system-error.ts'
import { decryptHeaders } from '../endpoints/headers.ts'
import { decryptPreviousSecrets } from '../endpoints/secret.ts'
import { signWebhook } from '../signature.ts'
import { webhookTexts } from '../texts.ts'
import {
  ATTEMPT_TIMEOUT_MS,
  type FinishedAttempt,
  type PostResult,
  postWebhook,
} from './attempt.ts'
import { type ClaimedDelivery, claimDeliveries, DELIVERY_QUEUE } from './claim.ts'
import { recordDeliveryAttempt } from './record.ts'

type DeliveryNeeds = {
  db: Database
  cipher: Cipher
  /** As createGuardedAgent returns it. */
  agent: Dispatcher
  /** The longest duration of one attempt; shorter than the lease. */
  deadlineMs?: number
  /** When absent or null, no e-mail reports deliveries that are given up. */
  mail?: Outbox | null | undefined
  metrics?: Metrics | undefined
  log?: Pick<FastifyBaseLogger, 'error'>
}

const SECRET_UNREADABLE =
  'webhooks: the secret or a header of an endpoint was encrypted by another SECRET_KEY: nothing is sent to it from here'
const RECORD_RETRY_DELAY_MS = 500
const RECORD_TIMEOUT_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS

/** Attempts a claimed delivery and records the outcome; releases the claim when `signal` interrupts it. */
async function attemptDelivery(
  needs: DeliveryNeeds,
  delivery: ClaimedDelivery,
  clock: () => Date,
  signal?: AbortSignal,
) {
  const startedAt = clock()
  const sent = await sendAttempt(needs, delivery, startedAt, signal)
  switch (sent.kind) {
    case 'interrupted':
      return releaseClaim(needs.db, DELIVERY_QUEUE, delivery, clock())
    case 'ended': {
      const made = { ...sent, startedAt, endedAt: clock() }
      return recordWithRetries(needs, delivery, made, signal)
    }
  }
}

async function sendAttempt(
  { cipher, agent, deadlineMs = ATTEMPT_TIMEOUT_MS }: DeliveryNeeds,
  delivery: ClaimedDelivery,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<PostResult> {
  const { url, body, eventId } = delivery
  const opened = tryDecryptSecrets(cipher, delivery)
  if (!opened) return { kind: 'ended', ...UNREADABLE_SECRET, answer: webhookTexts.secretUnreadable }
  const headers = { ...opened.headers, ...signWebhook(opened.secrets, eventId, now, body) }
  return postWebhook({ url, headers, body }, { agent, deadlineMs, signal })
}

function tryDecryptSecrets(cipher: Cipher, delivery: ClaimedDelivery) {
  const { endpointId, secret, previousSecret } = delivery
  try {
    return {
      secrets: [
        cipher.decrypt(secret, 'webhook_endpoints.secret', endpointId),
        ...(previousSecret ? decryptPreviousSecrets(cipher, endpointId, previousSecret) : []),
      ],
      headers: decryptHeaders(cipher, endpointId, delivery),
    }
  } catch {
    return undefined
  }
}

const UNREADABLE_SECRET = {
  outcome: 'secret_unreadable',
  statusCode: null,
  retryAfter: null,
} as const

/** Keeps the outcome during an outage of the database, or the receiver would be called again. */
async function recordWithRetries(
  needs: DeliveryNeeds,
  delivery: ClaimedDelivery,
  made: FinishedAttempt,
  signal: AbortSignal | undefined,
) {
  const giveUpAt = performance.now() + RECORD_TIMEOUT_MS
  for (;;) {
    try {
      await recordEnd(needs, delivery, made)
      return
    } catch (error) {
      const hopeless = !isOutage(error) || performance.now() > giveUpAt || signal?.aborted
      if (hopeless) throw error
      await sleep(RECORD_RETRY_DELAY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

async function recordEnd(
  { db, mail, metrics, log }: DeliveryNeeds,
  delivery: ClaimedDelivery,
  made: FinishedAttempt,
) {
  const recorded = await recordDeliveryAttempt(db, delivery, made, mail)
  if (recorded.kind === 'leaseLost') return
  const { endpointId } = delivery
  if (made.outcome === 'secret_unreadable') log?.error({ endpointId }, SECRET_UNREADABLE)
  if (recorded.status !== 'pending') metrics?.countWebhookEnd(recorded.status)
  await adjustConcurrency(db, delivery, made)
}

// How many deliveries of an endpoint may run at a time, over all processes: the claim reads the number from the
// endpoint's row. As in TCP, it grows by one for each fast answer while more was due, and is halved at each sign of
// overload.
const MAX_CONCURRENCY = 50
/** A slower endpoint is too close to the timeout for more attempts at a time. */
const GROWTH_ANSWER_MS = ATTEMPT_TIMEOUT_MS / 2
const OVERLOADED_STATUS = 429

type TimedAttempt = Pick<FinishedAttempt, 'outcome' | 'statusCode' | 'startedAt' | 'endedAt'>

/**
 * Adjusts an endpoint's concurrency after an attempt, relative to its value at the claim: attempts that fail together
 * halve it only once, and successful ones among them do not undo that.
 */
export async function adjustConcurrency(
  db: Database,
  { endpointId, concurrency: claimedUnder, isSaturated }: ClaimedDelivery,
  made: TimedAttempt,
) {
  const { id, concurrency } = webhookEndpoints
  if (isOverloaded(made)) {
    const half = Math.max(1, Math.floor(claimedUnder / 2))
    if (half === claimedUnder) return
    const isMore = and(eq(id, endpointId), gt(concurrency, half))
    await db.update(webhookEndpoints).set({ concurrency: half }).where(isMore)
  } else if (isSaturated && claimedUnder < MAX_CONCURRENCY && isPrompt(made)) {
    const mayGrow = and(gte(concurrency, claimedUnder), lt(concurrency, MAX_CONCURRENCY))
    await db
      .update(webhookEndpoints)
      .set({ concurrency: sql`concurrency + 1` })
      .where(and(eq(id, endpointId), mayGrow))
  }
}

/** An answer that refuses, such as 404, is cheap for the receiver. */
function isOverloaded({ outcome, statusCode }: TimedAttempt) {
  if (outcome === 'timeout' || outcome === 'connection_refused') return true
  const isAnswered = outcome === 'http_error' && statusCode !== null
  return isAnswered && (statusCode >= 500 || statusCode === OVERLOADED_STATUS)
}

function isPrompt({ outcome, startedAt, endedAt }: TimedAttempt) {
  const tookMs = endedAt.getTime() - startedAt.getTime()
  return outcome === 'delivered' && tookMs <= GROWTH_ANSWER_MS
}

const DELIVERY_POLL_INTERVAL_MS = 1_000
const MAX_RUNNING_DELIVERIES = 200
/** The share of attempts that is reserved for endpoints with few attempts at a time. */
const RESERVED_RATIO = 0.25

type DeliveryWorkerNeeds = DeliveryNeeds & {
  listener: Pick<Listener, 'subscribe'>
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** How many deliveries this process attempts at a time. */
  concurrency?: number
  pollMs?: number
  now: () => Date
}

/** Attempts all deliveries that are due at `now`, and returns their number. */
export async function deliverDue(needs: DeliveryNeeds, now: Date) {
  return runDueJobs(createDeliveryJobs(needs, () => now))
}

/** Returns a function that stops the worker; attempts longer than `waitMs` are released. */
export function startDeliveryWorker(needs: DeliveryWorkerNeeds) {
  const { listener, log, concurrency, pollMs = DELIVERY_POLL_INTERVAL_MS, now } = needs
  return startWorker({
    ...createDeliveryJobs(needs, now, concurrency),
    pollMs,
    subscribe: (wake) => listener.subscribe('delivery_due', wake),
    onOutage: (err) => log.error(err, 'webhooks: the database failed; trying again every second'),
    onRecovery: () => log.info('webhooks: the database is back'),
  })
}

function createDeliveryJobs(
  needs: DeliveryNeeds,
  now: () => Date,
  concurrency = MAX_RUNNING_DELIVERIES,
): Jobs<ClaimedDelivery> {
  const reserved = Math.floor(concurrency * RESERVED_RATIO)
  return {
    claim: (limit) => claimDeliveries(needs.db, now(), limit, reserved),
    run: (delivery, interrupted) => attemptDelivery(needs, delivery, now, interrupted),
    mayLeaveDue: (claimed, limit) =>
      claimed.length === 0 ||
      claimed.length >= limit - reserved ||
      claimed.some(({ isSaturated }) => isSaturated),
    concurrency,
  }
}
