// Claims due jobs and runs them: when it is woken, when a job ends, and by a poll, which alone would be enough. No
// job waits for another.
import { trackOutage } from './outage-log.ts'

export type Jobs<Job> = {
  /** Claims up to `limit` of what is due; each is started before the next is asked for. */
  claim: (limit: number) => Promise<Job[]> | AsyncIterable<Job>
  /** Ends soon after `interrupted`, and then releases the claim. */
  run: (job: Job, interrupted?: AbortSignal) => Promise<unknown>
  /** How many may be under way at a time in this process. */
  concurrency: number
  /** Whether more may be due than such a claim took, to be had once a job has ended. Absent: always. */
  mayLeaveDue?: (claimed: Job[], limit: number) => boolean
}

type WorkerOptions<Job> = Jobs<Job> & {
  pollMs: number
  /** Calls `wake` whenever something became due. */
  subscribe?: (wake: () => void) => void
  /** Once when a claim or a job fails, and once when claims succeed again. */
  onOutage: (error: unknown) => void
  onRecovery?: () => void
}

/** The answer stops it: no more is claimed, and what takes longer than `waitMs` is interrupted. */
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

  /** A claim under way may not have seen this end. */
  function noteEnd() {
    if (isAsked || claiming || isMoreDue) wake()
  }
}

/** Runs what is due until nothing is left, and answers how many jobs that were; `onStart` hears of each. */
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
