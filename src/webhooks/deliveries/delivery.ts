// One delivery, from its claim to the record of what became of it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Database } from '../../database/connect.ts'
import type { Seal } from '../../database/encryption.ts'
import type { Mailbox } from '../../mail/outbox.ts'
import { isOutage } from '../../outage.ts'
import { webhookTexts } from '../texts.ts'
import { type Answer, type Attempted, DEADLINE_MS, post } from './attempt.ts'
import { type Claimed, claim, giveBack, LEASE_MS } from './claim.ts'
import { record } from './record.ts'
import { sign } from './sign.ts'

export type DeliveryNeeds = {
  db: Database
  seal: Seal
  /** From guardedAgent. */
  agent: Dispatcher
  /** How long one attempt may take in all; less than the lease. */
  deadlineMs?: number
  /** Absent or null: nobody is told by e-mail of what is given up. */
  mail?: Mailbox | null | undefined
}

const BATCH = 100
const RECORD_AGAIN_MS = 500
const MAX_RECORD_MS = LEASE_MS - DEADLINE_MS

/** Attempts everything that is due at `now`, up to `limit`, and answers how many that were. */
export async function deliverDue(needs: DeliveryNeeds, now: Date, limit = Number.MAX_SAFE_INTEGER) {
  let attempted = 0
  while (attempted < limit) {
    const claimed = await claim(needs.db, now, Math.min(BATCH, limit - attempted))
    if (claimed.length === 0) break
    await Promise.all(claimed.map((delivery) => deliver(needs, delivery, () => now)))
    attempted += claimed.length
  }
  return attempted
}

/** Attempts a claimed delivery and records the outcome; gives it back when `signal` ends it. */
export async function deliver(
  needs: DeliveryNeeds,
  delivery: Claimed,
  clock: () => Date,
  signal?: AbortSignal,
) {
  const startedAt = clock()
  const answer = await attempt(needs, delivery, startedAt, signal)
  if (answer === null) return giveBack(needs.db, delivery, clock())
  await recordSurely(needs, delivery, { ...answer, startedAt, endedAt: clock() }, signal)
}

async function attempt(
  { seal, agent, deadlineMs = DEADLINE_MS }: DeliveryNeeds,
  { url, body, eventId, secret, previousSecret }: Claimed,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<Answer | null> {
  let secrets: string[]
  try {
    secrets = (previousSecret ? [secret, previousSecret] : [secret]).map(seal.open)
  } catch {
    return { ...UNSEALABLE, answer: webhookTexts.secretUnreadable }
  }
  const headers = sign(secrets, eventId, now, body)
  return post({ url, headers, body }, { agent, deadlineMs, signal })
}

const UNSEALABLE = { outcome: 'secret_unreadable', statusCode: null, retryAfter: null } as const

/** While the database is away the outcome is kept, or the receiver would be called once more. */
async function recordSurely(
  { db, mail }: DeliveryNeeds,
  delivery: Claimed,
  made: Attempted,
  signal: AbortSignal | undefined,
) {
  const giveUpAt = performance.now() + MAX_RECORD_MS
  for (;;) {
    try {
      return await record(db, delivery, made, mail)
    } catch (error) {
      const hopeless = !isOutage(error) || performance.now() > giveUpAt || signal?.aborted
      if (hopeless) throw error
      await sleep(RECORD_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  }
}
