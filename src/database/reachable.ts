import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage, toError } from '../system-error.ts'

const WAIT_MS = { first: 250, most: 5_000 }

/** Does `work` as soon as the database is reachable and can be written; it is begun anew after each outage. */
export async function workWhenReachable<Result>(
  work: () => Promise<Result>,
  onWait: (error: Error) => void,
): Promise<Result> {
  for (let waitMs = WAIT_MS.first; ; waitMs = Math.min(waitMs * 2, WAIT_MS.most)) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error)) throw error
      onWait(toError(error))
      await sleep(waitMs)
    }
  }
}
