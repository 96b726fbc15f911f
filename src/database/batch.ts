// Groups small writes: those that arrive while earlier statements run share the next statement. A single row is written
// at once; thirty rows together cost about as much as two.

import type { Database } from './connect.ts'

type PendingItem<In, Out> = {
  item: In
  resolve: (value: Out) => void
  reject: (error: unknown) => void
}

type BatchLimits = { concurrency?: number; maxItems?: number }

/**
 * Makes `run`, which writes many items in one statement and answers in their order, callable with one item at a time.
 * Each call is answered after its statement has committed. When a statement fails, its items are run again one by one,
 * so that a bad row fails alone.
 */
export function batchCalls<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  { concurrency = 2, maxItems = 100 }: BatchLimits = {},
): (item: In) => Promise<Out> {
  const queue: PendingItem<In, Out>[] = []
  let running = 0
  let scheduled = false

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (scheduled || running >= concurrency) return
      scheduled = true
      setImmediate(flushQueue)
    })

  function flushQueue() {
    scheduled = false
    while (running < concurrency && queue.length > 0) {
      running++
      // Never rejects, since each caller receives its own failure.
      void runBatch(queue.splice(0, maxItems)).then(() => {
        running--
        flushQueue()
      })
    }
  }

  async function runBatch(waiting: PendingItem<In, Out>[]) {
    try {
      const answers = await run(waiting.map(({ item }) => item))
      answers.forEach((answer, i) => {
        waiting[i]?.resolve(answer)
      })
    } catch (error) {
      const [one, another] = waiting
      if (one && !another) return one.reject(error)
      for (const each of waiting) await runBatch([each])
    }
  }
}

/** Does the same for each database on its own. */
export function batchByDatabase<In, Out>(
  run: (db: Database, items: In[]) => Promise<Out[]>,
): (db: Database, item: In) => Promise<Out> {
  const batches = new WeakMap<Database, (item: In) => Promise<Out>>()
  return (db, item) => {
    const call = batches.get(db) ?? batchCalls((items) => run(db, items))
    batches.set(db, call)
    return call(item)
  }
}
