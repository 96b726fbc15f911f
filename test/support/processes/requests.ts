// Requests of people who want an answer: what failed is kept, and asked for again.
import { setTimeout as sleep } from 'node:timers/promises'

/** So long after everything should be well: a process that was killed holds its requests' keys for a minute. */
const PATIENCE_MS = 75_000

type Failure = { atMs: number; what: string; why: string }

type Wish = {
  what: string
  run: () => Promise<Response>
  accepted: number
  /** Null: not again. */
  againAfterMs: number | null
}

export function openRequests() {
  const startedAt = performance.now()
  const failures: Failure[] = []
  const stopping = new AbortController()
  let patientUntil = Number.POSITIVE_INFINITY
  let slowestMs = 0
  let count = 0

  return {
    failures,
    isOver: () => stopping.signal.aborted,
    /** Or until it is over. */
    pause: (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}),
    /** Undefined when it was given up. Throws when everything is well and it fails all the same. */
    send,
    stop() {
      stopping.abort()
      patientUntil = performance.now() + PATIENCE_MS
    },
    sum() {
      return { count, seconds: (performance.now() - startedAt) / 1_000, slowestMs }
    },
  }

  async function send(wish: Wish): Promise<Response | undefined> {
    const at = performance.now()
    count++
    const tried = await tryOnce(wish)
    slowestMs = Math.max(slowestMs, performance.now() - at)
    if (tried instanceof Response) return tried
    failures.push({ atMs: Math.round(at - startedAt), what: wish.what, why: tried })
    if (wish.againAfterMs === null) return undefined
    if (at > patientUntil) throw new Error(`${wish.what}: ${tried}`)
    await sleep(wish.againAfterMs)
    return send(wish)
  }
}

/** The answer, or what was wrong with it. */
async function tryOnce({ run, accepted }: Wish) {
  try {
    const answer = await run()
    if (answer.status === accepted) return answer
    return `${answer.status} ${answer.bodyUsed ? '' : (await answer.text()).slice(0, 200)}`
  } catch (error) {
    return error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error)
  }
}
