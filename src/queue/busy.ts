// Whether this process has time for what may be late.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 50
/** Of its time, spent on requests and whatever else it does. */
const BUSY_SHARE = 0.5

/** Looks on for a moment, in which whoever asks does nothing. */
export async function isProcessBusy() {
  const before = performance.eventLoopUtilization()
  await sleep(LOOK_MS)
  return performance.eventLoopUtilization(before).utilization > BUSY_SHARE
}
