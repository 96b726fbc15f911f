// Runs background work in intervals until it is stopped; a failure does not end it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import { trackOutage } from './outage-log.ts'

/** What background work is given. */
export type WorkNeeds = {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}

type IntervalOptions = {
  /** The pause after a round that left nothing to do. */
  intervalMs: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** The message that is logged once when the work begins to fail. */
  failure: string
}

/** `work` returns whether more can be done at once. Returns a function that stops after the current round. */
export function runInterval(
  { intervalMs: pauseMs, log, failure }: IntervalOptions,
  work: () => Promise<boolean>,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const { noteSuccess, noteFailure } = trackOutage((err) => log.warn({ err }, failure))
  const stopped = run()

  return async function stop() {
    stopping.abort()
    await stopped
  }

  async function run() {
    while (!signal.aborted) {
      const more = await work().then(noteSuccess, noteFailure)
      if (!more) await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}
