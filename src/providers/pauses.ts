// The pauses that a provider asks for (Retry-After), by lane. A pause asked of a payer's call stops all calls; a
// pause asked of background work stops only background work, so that a payer's call is still tried.
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
