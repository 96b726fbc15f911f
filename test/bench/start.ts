// How long the service takes from its start to its first answer: as at its very first start, and as
// at any other.
import { type Program, startService } from './programs.ts'
import { median } from './rounds.ts'
import type { Seeded } from './seed.ts'

const TIMES = 3
/** Node's own word for "nothing compiled earlier is used", should the service keep that. */
const COLD = { NODE_DISABLE_COMPILE_CACHE: '1' }

export type StartTimes = { coldMs: number; warmMs: number }

export async function measureStarts(seeded: Seeded): Promise<StartTimes> {
  const [coldMs, warmMs] = [
    await measureStart(() => startService(seeded, { env: COLD })),
    await measureStart(() => startService(seeded)),
  ]
  return { coldMs, warmMs }
}

async function measureStart(start: () => Promise<Program>) {
  const times: number[] = []
  while (times.length < TIMES) {
    const program = await start()
    times.push(program.startMs)
    await program.stop()
  }
  return median(times)
}
