// The worker by itself, over a queue that is an array: what wakes it, how much it takes, how it stops.
import { expect, onTestFinished, test, vi } from 'vitest'
import { runDueJobs, startWorker } from '../../src/queue/worker.ts'

const NEVER_MS = 3_600_000

type Options = Parameters<typeof startWorker<string>>[0]

/** Jobs that end when they are told to. */
function openQueue(...due: string[]) {
  const running = new Map<string, PromiseWithResolvers<void>>()
  const claim = vi.fn(async (limit: number) => due.splice(0, limit))
  const run = vi.fn((job: string, _interrupted?: AbortSignal) => {
    const work = Promise.withResolvers<void>()
    running.set(job, work)
    return work.promise.finally(() => running.delete(job))
  })
  return { due, claim, run, running, names: () => [...running.keys()] }
}

function start(queue: ReturnType<typeof openQueue>, more: Partial<Options> = {}) {
  const log = { onOutage: vi.fn(), onRecovery: vi.fn() }
  const { claim, run } = queue
  const stop = startWorker<string>({
    claim,
    run,
    concurrency: 2,
    pollMs: NEVER_MS,
    ...log,
    ...more,
  })
  onTestFinished(async () => {
    for (const { resolve } of queue.running.values()) resolve()
    await stop(0)
  })
  return { stop, ...log }
}

async function settle() {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate)
}

test('it takes no more than it has room for, and each job that ends makes room', async () => {
  const queue = openQueue('a', 'b', 'c', 'd')

  start(queue)
  await settle()
  expect(queue.names()).toEqual(['a', 'b'])
  queue.running.get('b')!.resolve()
  await settle()

  expect(queue.names()).toEqual(['a', 'c'])
  expect(queue.claim.mock.calls).toEqual([[2], [1]])
})

test('a job that fails makes room too', async () => {
  const queue = openQueue('a', 'b', 'c')
  const { onOutage } = start(queue)
  await settle()

  queue.running.get('a')!.reject(new Error('not recorded'))
  await settle()

  expect(queue.names()).toEqual(['b', 'c'])
  expect(onOutage).toHaveBeenCalledTimes(1)
})

test('it is woken by each process that makes something due, also while it claims', async () => {
  const queue = openQueue()
  let wake = () => {}
  start(queue, {
    subscribe(waker) {
      wake = waker
    },
  })
  await settle()

  queue.due.push('a')
  wake()
  wake()
  wake()
  await settle()

  expect(queue.names()).toEqual(['a'])
  expect(queue.claim).toHaveBeenCalledTimes(3)
})

test('where a claim took all that was due, the end of a job asks for nothing', async () => {
  const queue = openQueue('a')
  const mayLeaveDue = vi.fn((claimed: string[]) => claimed.length === 0)
  start(queue, { mayLeaveDue })
  await settle()

  queue.running.get('a')!.resolve()
  await settle()

  expect(mayLeaveDue.mock.calls).toEqual([[['a'], 2]])
  expect(queue.claim).toHaveBeenCalledTimes(1)
})

test('a job that ends while a claim is under way has it made once more', async () => {
  const queue = openQueue('a')
  const later = Promise.withResolvers<string[]>()
  const claim = vi.fn(async (limit: number) =>
    claim.mock.calls.length === 2 ? later.promise : queue.claim(limit),
  )
  let wake = () => {}
  const subscribe = (waker: () => void) => {
    wake = waker
  }
  start(queue, { claim, subscribe, mayLeaveDue: () => false })
  await settle()

  wake()
  queue.running.get('a')!.resolve()
  await settle()
  later.resolve([])
  await settle()

  expect(claim).toHaveBeenCalledTimes(3)
})

test('polling alone would do', async () => {
  const queue = openQueue()
  start(queue, { pollMs: 1 })
  await settle()

  queue.due.push('a')

  await expect.poll(() => queue.names()).toEqual(['a'])
})

test('an outage of the claims is told once, and its end once', async () => {
  const queue = openQueue()
  const claim = vi.fn(async () => {
    if (claim.mock.calls.length <= 3) throw new Error('no database')
    return []
  })

  const { onOutage, onRecovery } = start(queue, { claim, pollMs: 1 })

  await expect.poll(() => claim.mock.calls.length).toBeGreaterThan(5)
  expect(onOutage.mock.calls).toEqual([[expect.objectContaining({ message: 'no database' })]])
  expect(onRecovery).toHaveBeenCalledTimes(1)
})

test('what was claimed before a claim broke off is under way all the same', async () => {
  const queue = openQueue()
  async function* claim() {
    yield 'a'
    throw new Error('no database')
  }

  const { onOutage } = start(queue, { claim })
  await settle()

  expect(queue.names()).toEqual(['a'])
  expect(onOutage).toHaveBeenCalledTimes(1)
})

test('stopping claims no more and waits, without a limit unless it is given one', async () => {
  const queue = openQueue('a')
  const { stop } = start(queue)
  await settle()
  const ended = vi.fn()

  const stopped = stop().then(ended)
  queue.due.push('b')
  await settle()
  expect(ended).not.toHaveBeenCalled()
  queue.running.get('a')!.resolve()
  await stopped

  expect(queue.run.mock.calls.map(([job]) => job)).toEqual(['a'])
  expect(queue.run.mock.calls[0]![1]!.aborted).toBe(false)
})

test('what does not end in time is interrupted, also what was only being claimed', async () => {
  const claiming = Promise.withResolvers<string[]>()
  const queue = openQueue()
  const interrupted: string[] = []
  const run = async (job: string, signal?: AbortSignal) => {
    if (!signal!.aborted) await new Promise((resolve) => signal!.addEventListener('abort', resolve))
    interrupted.push(job)
  }
  const { stop } = start(queue, { claim: () => claiming.promise, run })

  const stopped = stop(1)
  await new Promise((resolve) => setTimeout(resolve, 5))
  claiming.resolve(['late'])
  await stopped

  expect(interrupted).toEqual(['late'])
})

test('what is due is run to the end, what became due meanwhile included', async () => {
  const due = ['a', 'b', 'c']
  const load = { now: 0, most: 0 }
  const jobs = {
    claim: async (limit: number) => due.splice(0, limit),
    run: async (job: string) => {
      load.most = Math.max(load.most, ++load.now)
      await new Promise(setImmediate)
      if (job === 'c') due.push('d')
      load.now--
    },
    concurrency: 2,
  }

  expect(await runDueJobs(jobs)).toBe(4)
  expect(load).toEqual({ now: 0, most: 2 })
  expect(await runDueJobs(jobs)).toBe(0)
})

test('running what is due goes on after a claim that found too much under way', async () => {
  const first = Promise.withResolvers<void>()
  const claims: (() => Promise<string[]>)[] = [
    async () => ['first', 'second'],
    async () => {
      first.resolve()
      await first.promise
      return []
    },
    async () => ['third'],
  ]
  const jobs = {
    concurrency: 3,
    claim: async () => (await claims.shift()?.()) ?? [],
    run: (job: string) => (job === 'first' ? first.promise : new Promise(setImmediate)),
  }

  expect(await runDueJobs(jobs)).toBe(3)
})
