// Whether there is time for what may be late.
import { setImmediate as nextLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isProcessBusy } from '../../src/queue/busy.ts'

test('a process that waits has time', async () => {
  expect(await isProcessBusy()).toBe(false)
})

test('a process that works without a pause has none', async () => {
  let looking = true
  const busy = isProcessBusy().finally(() => {
    looking = false
  })
  while (looking) await nextLoop()

  expect(await busy).toBe(true)
})
