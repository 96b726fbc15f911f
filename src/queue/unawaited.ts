// Batches writes that no request waits for: items that arrive during a statement go into the next one. Items that
// cannot be written, as during an outage, are dropped.
import type { FastifyBaseLogger } from 'fastify'
import { batchCalls } from '../database/batch.ts'
import { trackOutage } from './outage-log.ts'

/** Further items are dropped, so that the queue cannot fill the memory. */
const MAX_UNWRITTEN = 10_000

type UnawaitedOptions<Item> = {
  write: (items: Item[]) => Promise<unknown>
  maxItems: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** The message that is logged once when writes begin to fail. */
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
    // Statements run one at a time, since several on the same rows would wait for each other.
    { concurrency: 1, maxItems },
  )

  return {
    add(item: Item) {
      if (unwritten.size >= MAX_UNWRITTEN) return
      const writing = writeInBatch(item).finally(() => unwritten.delete(writing))
      unwritten.add(writing)
    },
    /** Waits until all items are written. */
    async close() {
      await Promise.all(unwritten)
    },
  }
}
