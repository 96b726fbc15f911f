// Delivers due webhooks: woken when one becomes due (NOTIFY), when an attempt ends, and by a poll.
import type { FastifyBaseLogger } from 'fastify'
import type { Listener } from '../../database/listen.ts'
import { type Jobs, runDueJobs, startWorker } from '../../queue/worker.ts'
import { type ClaimedDelivery, claimDeliveries } from './claim.ts'
import { attemptDelivery, type DeliveryNeeds } from './delivery.ts'

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
