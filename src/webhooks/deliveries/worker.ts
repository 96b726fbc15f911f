// Delivers until stopped. It is woken when something became due (NOTIFY), when an attempt ended, and
// by a poll, which alone would do; each delivery goes its own way and waits for no other.
import type { FastifyBaseLogger } from 'fastify'
import type { Listener } from '../../database/notifications.ts'
import { claim } from './claim.ts'
import { type DeliveryNeeds, deliver } from './delivery.ts'

const POLL_MS = 1_000
const CONCURRENCY = 200

type WorkerNeeds = DeliveryNeeds & {
  listener: Listener
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** How many deliveries may be under way in this process. */
  concurrency?: number
  pollMs?: number
  now?: () => Date
}

export function startWorker(needs: WorkerNeeds) {
  const { db, listener, log, concurrency = CONCURRENCY, pollMs = POLL_MS } = needs
  const { now = () => new Date() } = needs
  const interrupting = new AbortController()
  const underWay = new Set<Promise<void>>()
  let claiming: Promise<void> | undefined
  let asked = false
  let stopped = false
  let failing = false

  listener.on('delivery_due', wake)
  const poll = setInterval(wake, pollMs)
  wake()

  return {
    /** Claims no more, waits so long for what is under way, and gives the rest back. */
    async stop(waitMs: number) {
      stopped = true
      clearInterval(poll)
      const interrupt = setTimeout(() => interrupting.abort(), waitMs)
      await claiming
      await Promise.all(underWay)
      clearTimeout(interrupt)
    },
  }

  function wake() {
    asked = true
    if (stopped || claiming || underWay.size >= concurrency) return
    asked = false
    claiming = claimOnce()
      .then(noteSuccess, noteFailure)
      .then(() => {
        claiming = undefined
        if (asked) wake()
      })
  }

  async function claimOnce() {
    const free = concurrency - underWay.size
    for (const delivery of await claim(db, now(), free)) {
      const going: Promise<void> = deliver(needs, delivery, now, interrupting.signal)
        .catch(noteFailure)
        .finally(() => {
          underWay.delete(going)
          wake()
        })
      underWay.add(going)
    }
  }

  // One line for an outage, however long it lasts and however often we try.
  function noteFailure(error: unknown) {
    if (!failing) log.error(error, 'webhooks: the database failed; trying again every second')
    failing = true
  }

  function noteSuccess() {
    if (failing) log.info('webhooks: the database is back')
    failing = false
  }
}
