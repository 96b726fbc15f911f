// Runs background work again and again, also through an outage, until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { trackOutage } from './outage-log.ts'

type IntervalOptions = {
  /** Between two rounds that left nothing to do. */
  intervalMs: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** The message that is logged once while the work fails, not once a round. */
  failure: string
}

/** `work` says whether there is more to do at once. The answer stops it, after the round under way. */
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
