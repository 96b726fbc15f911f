// What long work says on standard error while it goes on.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withProgress } from '../../src/commands/progress.ts'

function openStream(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  // A stream has more ways to be written to than this one is asked for.
  return { written, stream: { isTTY, columns: 20, write } as unknown as NodeJS.WriteStream }
}

test('on a terminal one line is written over, cut to its width, and goes in the end', async () => {
  const { written, stream } = openStream(true)

  const answer = await withProgress(async (show) => {
    await sleep(120)
    show('payments: 1 asked about')
    show('too soon after the one before')
    await sleep(120)
    show('payments: 2')
    return 'done'
  }, stream)

  expect(answer).toBe('done')
  expect(written).toEqual(['\r\x1b[2Kpayments: 1 asked a', '\r\x1b[2Kpayments: 2', '\r\x1b[2K'])
})

test('the line goes also where the work fails', async () => {
  const { written, stream } = openStream(true)

  const failing = withProgress(async (show) => {
    await sleep(120)
    show('half')
    throw new Error('stopped')
  }, stream)

  await expect(failing).rejects.toThrow('stopped')
  expect(written.at(-1)).toBe('\r\x1b[2K')
})

test.each([true, false])(
  'of work that is soon over nothing is said (terminal: %s)',
  async (isTTY) => {
    const { written, stream } = openStream(isTTY)

    await withProgress(async (show) => show('all of it'), stream)

    expect(written).toEqual([])
  },
)

test('elsewhere a line is written every few seconds', async () => {
  const { written, stream } = openStream(false)

  await withProgress(async (show) => {
    for (let tenths = 0; tenths < 35; tenths++) {
      show(`${tenths} of 35`)
      await sleep(100)
    }
  }, stream)

  expect(written).toEqual([expect.stringMatching(/^(29|30|31) of 35\n$/)])
})
