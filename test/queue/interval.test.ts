// Background work by the clock: as often as there is something to do, through outages, until it is stopped.
import { expect, onTestFinished, test, vi } from 'vitest'
import { runInterval } from '../../src/queue/interval.ts'

const NEVER_MS = 3_600_000

function start(work: () => Promise<boolean>, pauseMs = NEVER_MS) {
  const log = { warn: vi.fn() }
  const stop = runInterval({ intervalMs: pauseMs, log, failure: 'cannot sweep for now' }, work)
  onTestFinished(stop)
  return { stop, log }
}

test('what left more to do is done again at once, and then there is a pause', async () => {
  const work = vi.fn(async () => work.mock.calls.length < 3)

  start(work)

  await expect.poll(() => work).toHaveBeenCalledTimes(3)
  await new Promise(setImmediate)
  expect(work).toHaveBeenCalledTimes(3)
})

test('after the pause it is done again', async () => {
  const work = vi.fn(async () => false)

  start(work, 1)

  await expect.poll(() => work.mock.calls.length).toBeGreaterThan(3)
})

test('while it fails it goes on, and says so once for each outage', async () => {
  const outcomes = ['fail', 'fail', 'succeed', 'fail', 'fail']
  const work = vi.fn(async () => {
    const outcome = outcomes[work.mock.calls.length - 1]
    if (outcome === 'fail') throw new Error('no database')
    return false
  })

  const { log } = start(work, 1)

  await expect.poll(() => work.mock.calls.length).toBeGreaterThan(5)
  expect(log.warn).toHaveBeenCalledTimes(2)
  expect(log.warn).toHaveBeenCalledWith({ err: expect.any(Error) }, 'cannot sweep for now')
})

test('stopping waits for the round under way, and there is no other', async () => {
  const round = Promise.withResolvers<boolean>()
  const work = vi.fn(() => round.promise)
  const { stop } = start(work)
  const ended = vi.fn()

  const stopped = stop().then(ended)
  await new Promise(setImmediate)
  expect(ended).not.toHaveBeenCalled()
  round.resolve(true)
  await stopped

  expect(work).toHaveBeenCalledTimes(1)
})
