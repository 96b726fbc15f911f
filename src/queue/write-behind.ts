// For what nobody waits for: taken at once and written behind, what came within a second in as few statements
// as it fits into. What an outage keeps from being written is let go.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { SECOND_MS } from '../database/instant.ts'
import { trackOutage } from './outage-log.ts'

const WRITE_DELAY_MS = SECOND_MS
/** Beyond it nothing is taken: what is kept here must not outgrow the process. */
const MAX_UNWRITTEN = 10_000

type WriteBehindOptions<Item> = {
  write: (items: Item[]) => Promise<unknown>
  /** Of one statement. */
  maxItems: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** What the log says once, not once a statement, while it fails. */
  failure: string
}

export function createWriteBehind<Item>(options: WriteBehindOptions<Item>) {
  const { write, maxItems, log, failure } = options
  const unwritten: Item[] = []
  const closing = new AbortController()
  let writing: Promise<void> | undefined
  const { noteSuccess, noteFailure } = trackOutage((err) => log.warn({ err }, failure))

  return {
    add(item: Item) {
      if (unwritten.length >= MAX_UNWRITTEN) return
      unwritten.push(item)
      writing ??= writeSoon()
    },
    /** Writes what is left. */
    async close() {
      closing.abort()
      await writing
    },
  }

  async function writeSoon() {
    await sleep(WRITE_DELAY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    while (unwritten.length > 0) {
      await write(unwritten.splice(0, maxItems)).then(noteSuccess, noteFailure)
    }
    // In the turn that found nothing left, so that whatever comes next begins anew.
    writing = undefined
  }
}
