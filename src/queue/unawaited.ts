// Writes that no request waits for: what comes while a statement is under way goes into the next one. What an outage
// keeps from being written is dropped.
import type { FastifyBaseLogger } from 'fastify'
import { batchCalls } from '../database/batch.ts'
import { trackOutage } from './outage-log.ts'

/** Beyond it nothing is taken: what waits here must not outgrow the process. */
const MAX_UNWRITTEN = 10_000

type UnawaitedOptions<Item> = {
  write: (items: Item[]) => Promise<unknown>
  /** Of one statement. */
  maxItems: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** What the log says once, not once a statement, while it fails. */
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
    // One at a time: statements on the same rows would wait for each other, each with a connection.
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
