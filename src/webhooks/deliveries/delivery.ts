// Carries out one delivery, from its claim to the record of its outcome.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Dispatcher } from 'undici'
import type { Database } from '../../database/connect.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import type { Metrics } from '../../http/metrics/metrics.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { LEASE_MS, releaseClaim } from '../../queue/lease.ts'
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
import { type ClaimedDelivery, DELIVERY_QUEUE } from './claim.ts'
import { adjustConcurrency } from './concurrency.ts'
import { recordDeliveryAttempt } from './record.ts'

export type DeliveryNeeds = {
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
  'webhooks: the secret or a header of an endpoint was sealed by another SECRET_KEY: nothing is sent to it from here'
const RECORD_RETRY_DELAY_MS = 500
const RECORD_TIMEOUT_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS

/** Attempts a claimed delivery and records the outcome; releases the claim when `signal` interrupts it. */
export async function attemptDelivery(
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
