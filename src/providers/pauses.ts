// The pauses that a provider asks for (Retry-After), by lane. A pause after a payer's call stops all calls; a pause
// after background work stops only background work, so that payers' calls are still tried.
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
