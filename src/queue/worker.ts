// Claims due jobs and runs them: when woken, when a job ends, and by a poll, which alone would be enough. Jobs do not
// wait for each other.
import { trackOutage } from './outage-log.ts'

export type Jobs<Job> = {
  /** Claims up to `limit` due jobs; each starts before the next one is awaited. */
  claim: (limit: number) => Promise<Job[]> | AsyncIterable<Job>
  /** Must end soon after `interrupted`, and then release the claim. */
  run: (job: Job, interrupted?: AbortSignal) => Promise<unknown>
  /** The number of jobs that this process runs at a time. */
  concurrency: number
  /** Whether more jobs may be due after such a claim; when absent, they always may. */
  mayLeaveDue?: (claimed: Job[], limit: number) => boolean
}

type WorkerOptions<Job> = Jobs<Job> & {
  pollMs: number
  /** Calls `wake` when a job becomes due. */
  subscribe?: (wake: () => void) => void
  /** Called once when a claim or a job fails; onRecovery once when claims succeed again. */
  onOutage: (error: unknown) => void
  onRecovery?: () => void
}

/** Starts the worker. The returned function stops it: no more claims, and jobs longer than `waitMs` are interrupted. */
export function startWorker<Job>(options: WorkerOptions<Job>) {
  const { claim, run, concurrency, mayLeaveDue = () => true } = options
  const { noteSuccess, noteFailure } = trackOutage(options.onOutage, options.onRecovery)
  const interrupting = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  let claiming: Promise<void> | undefined
  let isAsked = false
  let isMoreDue = true
  let isStopped = false

  options.subscribe?.(wake)
  const poll = setInterval(wake, options.pollMs)
  wake()

  return async function stop(waitMs?: number) {
    isStopped = true
    clearInterval(poll)
    const interrupt = waitMs !== undefined && setTimeout(() => interrupting.abort(), waitMs)
    await claiming
    await Promise.all(underWay)
    if (interrupt) clearTimeout(interrupt)
  }

  function wake() {
    isAsked = true
    if (isStopped || claiming || underWay.size >= concurrency) return
    isAsked = false
    claiming = startDueJobs()
      .then(noteSuccess, noteFailure)
      .then(() => {
        claiming = undefined
        if (isAsked) wake()
      })
  }

  async function startDueJobs() {
    const limit = concurrency - underWay.size
    const claimed: Job[] = []
    for await (const job of await claim(limit)) {
      claimed.push(job)
      trackJob(underWay, run(job, interrupting.signal).catch(noteFailure), noteEnd)
    }
    isMoreDue = mayLeaveDue(claimed, limit)
  }

  /** A claim that is running may not have seen that this job ended. */
  function noteEnd() {
    if (isAsked || claiming || isMoreDue) wake()
  }
}

/** Runs all due jobs and returns their number; `onStart` is called with each. */
export async function runDueJobs<Job>(
  { claim, run, concurrency }: Jobs<Job>,
  onStart: (count: number) => void = () => {},
): Promise<number> {
  const underWay = new Set<Promise<unknown>>()
  for (let count = 0; ; ) {
    const before = count
    const wasIdle = underWay.size === 0
    for await (const job of await claim(concurrency - underWay.size)) {
      trackJob(underWay, run(job))
      onStart(++count)
    }
    // Jobs that ended during a claim may have limited that claim.
    if (wasIdle && count === before) return count
    if (underWay.size > 0) await Promise.race(underWay)
  }
}

function trackJob(underWay: Set<Promise<unknown>>, running: Promise<unknown>, onEnd?: () => void) {
  const tracked = running.finally(() => {
    underWay.delete(tracked)
    onEnd?.()
  })
  underWay.add(tracked)
}
