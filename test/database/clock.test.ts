// The time that processes share is the database's, whatever their own clocks say.
import { expect, test } from 'vitest'
import { openClock } from '../../src/database/clock.ts'
import type { Database } from '../../src/database/connect.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { db } = await openDatabase()
const CLOSE_MS = 1_000
const MINUTE_MS = 60_000

async function readDifference(now: Date) {
  const { rows } = await db.$client.query('select now()')
  return Math.abs(now.getTime() - rows[0].now.getTime())
}

test.each([10, -10])(
  'a machine whose clock is %i minutes off goes by the database’s',
  async (off) => {
    const getWallMs = () => Date.now() + off * MINUTE_MS
    const clock = openClock(db, { getSteadyMs: () => performance.now(), getWallMs })
    expect(await readDifference(clock.now())).toBeGreaterThan(9 * MINUTE_MS)

    await clock.sync()

    expect(await readDifference(clock.now())).toBeLessThan(CLOSE_MS)
  },
)

test('an answer proves nothing but what it leaves no doubt about', async () => {
  let steadyMs = 0
  const slow = (theirMs: number) =>
    ({
      execute: async () => {
        steadyMs += MINUTE_MS
        return { rows: [{ ms: theirMs }] }
      },
    }) as unknown as Database
  const sources = { getSteadyMs: () => steadyMs, getWallMs: () => 0 }
  const [inDoubt, proven] = [MINUTE_MS, 3 * MINUTE_MS].map((ms) => openClock(slow(ms), sources))

  await inDoubt!.sync()
  expect(inDoubt!.now().getTime()).toBe(steadyMs)
  steadyMs = 0
  await proven!.sync()

  expect(proven!.now().getTime()).toBe(3.5 * MINUTE_MS)
})
