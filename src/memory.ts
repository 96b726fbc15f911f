// Gives back what only loading needed, and what a rush took once it is over: V8 collects while it allocates, so that
// a process that has become quiet would keep all of it until it is busy again.

const SETTLED_AFTER_MS = 500
const LOOK_MS = 10_000
/** Of a processor between two looks. What the workers do by themselves takes a tenth of a second. */
const RUSH_CPU_MS = 2_000
const QUIET_CPU_MS = 300
/** On a slow machine they take more than that: what is no more than twice the least that was seen is quiet too. */
const QUIET_TIMES_LEAST = 2
/** What one collection empties the next gives back. */
const ROUNDS = 2

/** Nothing is answered for a tenth of a second then. Without `--expose-gc` it is left to V8. */
export function keepMemoryLow() {
  if (!globalThis.gc) return
  collectOnceLoaded()
  const isDue = createRushWatch()
  let before = readCpuMs()
  const look = () => {
    const now = readCpuMs()
    if (isDue(now - before)) collectGarbage()
    before = now
  }
  setInterval(look, LOOK_MS).unref()
}

/** For whoever has just loaded a program, or a part of one. */
export function collectOnceLoaded() {
  setTimeout(collectGarbage, SETTLED_AFTER_MS).unref()
}

function collectGarbage() {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

/** Asked at each look, by what was used of a processor since the last, whether a rush is over. */
export function createRushWatch() {
  let rounds = 0
  let leastMs = 0
  return (cpuMs: number) => {
    if (cpuMs > RUSH_CPU_MS) {
      rounds = ROUNDS
      return false
    }
    const quietMs = Math.max(QUIET_CPU_MS, leastMs * QUIET_TIMES_LEAST)
    leastMs = Math.min(leastMs || cpuMs, cpuMs)
    if (cpuMs > quietMs || rounds === 0) return false
    rounds--
    return true
  }
}

function readCpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
