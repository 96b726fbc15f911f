// Batches writes that no request waits for: items that arrive during a statement go into the next one. Items that
// an outage keeps from being written are dropped.
import type { FastifyBaseLogger } from 'fastify'
import { batchCalls } from '../database/batch.ts'
import { trackOutage } from './outage-log.ts'

/** Beyond it nothing is taken: what waits here must not outgrow the process. */
const MAX_UNWRITTEN = 10_000

type UnawaitedOptions<Item> = {
  write: (items: Item[]) => Promise<unknown>
  /** The most items of one statement. */
  maxItems: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** The message that is logged once while writes fail, not once a statement. */
  failure: string
}

export function createUnawaitedWriter<Item>(options: UnawaitedOptions<Item>) {
  const { write, maxItems, log, failure } = options
  const unwritten = new Set<Promise<unknown>>()
  const { noteSuccess, noteFailure } = trackOutage((err) => log.warn({ err }, failure))
  const writeInBatch = batchCalls(
    async (items: Item[]) => {
      await write(items).then(noteSuccess, noteFailure)
      return items
    },
    // One statement at a time: several on the same rows would wait for each other, each with a connection.
    { concurrency: 1, maxItems },
  )

  return {
    add(item: Item) {
      if (unwritten.size >= MAX_UNWRITTEN) return
      const writing = writeInBatch(item).finally(() => unwritten.delete(writing))
      unwritten.add(writing)
    },
    /** Waits for what is under way. */
    async close() {
      await Promise.all(unwritten)
    },
  }
}
