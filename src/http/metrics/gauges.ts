// Reads the gauges when metrics are requested: those of this process, and those of the database, which all processes
// share. Reading has a time limit, and no query runs twice at the same time.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { type Backlog, readBacklog } from './backlog.ts'
import type { GaugeValues, Metrics } from './metrics.ts'

type GaugeNeeds = {
  metrics: Metrics
  db: Database
  /** Throws when this process should receive no work. */
  requireReady(): Promise<void>
  now: () => Date
}

/** Prometheus waits 10 seconds for the whole answer. */
const SAMPLE_TIMEOUT_MS = 3 * SECOND_MS

/** Returns a function that sets the gauges, without those that the database does not answer in time. */
export function createGaugeSampler({ metrics, db, requireReady, now }: GaugeNeeds) {
  const sampleReadiness = limitSample(() => requireReady().then(() => true))
  const sampleBacklog = limitSample(() => readBacklog(db, now()))

  return async function sampleGauges() {
    const [isReady, backlog] = await Promise.all([sampleReadiness(), sampleBacklog()])
    const { totalCount, idleCount, waitingCount } = db.$client
    metrics.setGauges({
      vintem_ready: Number(isReady ?? false),
      vintem_pool_connections_in_use: totalCount - idleCount,
      vintem_pool_connections_waiting: waitingCount,
      ...toBacklogGauges(backlog),
    })
  }
}

/** Gives undefined when `read` fails or takes too long; a read that is still running is not started again. */
function limitSample<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let underWay: Promise<T | undefined> | undefined

  return async () => {
    underWay ??= read()
      .catch(() => undefined)
      .finally(() => {
        underWay = undefined
      })
    const waiting = new AbortController()
    const { signal } = waiting
    const patience = sleep(SAMPLE_TIMEOUT_MS, undefined, { ref: false, signal })
    return Promise.race([underWay, patience]).finally(() => waiting.abort())
  }
}

function toBacklogGauges(backlog: Backlog | undefined): GaugeValues {
  return {
    vintem_webhook_deliveries_due: backlog?.deliveriesDue,
    vintem_webhook_oldest_due_seconds: backlog?.deliveriesOldestDueSeconds,
    vintem_webhook_oldest_due_keeping_up_seconds: backlog?.deliveriesWaitingForUsSeconds,
    vintem_mails_oldest_due_seconds: backlog?.mailsOldestDueSeconds,
    vintem_checks_oldest_due_seconds: backlog?.checksOldestDueSeconds,
    vintem_payments_oldest_processing_seconds: backlog?.oldestProcessingSeconds,
    vintem_database_size_bytes: backlog?.databaseSizeBytes,
  }
}
