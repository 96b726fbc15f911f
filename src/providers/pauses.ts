// The pauses that a provider asks for (Retry-After), by lane: what was told to a payer's call holds for all calls,
// what was told to the background holds for the background alone. So a payer's call is tried once all the same.
import { type Lane, ProviderDown } from './provider.ts'

export function createPauses(now: () => Date) {
  const ends: Partial<Record<Lane, Date>> = {}

  return { requireNoPause, notePause }

  /** Throws ProviderDown while the provider wants no calls of this lane. */
  function requireNoPause(lane: Lane) {
    const until = lane === 'background' ? getLater(ends.background, ends.payer) : ends.payer
    if (!until || until <= now()) return
    const message = `The provider wants no calls before ${until.toISOString()}`
    throw new ProviderDown(message, { retryAt: until })
  }

  function notePause(lane: Lane, until: Date | undefined) {
    if (until) ends[lane] = until
  }
}

function getLater(a: Date | undefined, b: Date | undefined) {
  return a && b ? (a > b ? a : b) : (a ?? b)
}
