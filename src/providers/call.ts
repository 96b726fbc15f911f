// What holds for a call to any provider.

const CALL_DEADLINE_MS = 15_000

/** Ends a call that a provider does not answer, however slowly it goes on sending. */
export function createCallDeadline() {
  return AbortSignal.timeout(CALL_DEADLINE_MS)
}

/**
 * Asks how a charge stands after it may have been made: that the provider can't be asked now
 * (ProviderDown) does not undo that, so whatever fails here leaves the outcome unknown.
 */
export async function rethrowAsUnknown<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw new Error('The provider did not say how the charge stands', { cause: error })
  }
}
