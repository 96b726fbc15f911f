// The sandbox, made to fail around its book until the test is over, and the time in which it is asked again.
import { afterEach } from 'vitest'
import type { Provider } from '../../../src/providers/provider.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import type { TestApp } from '../test-app.ts'

export function openFailingSandbox({ clock, needs }: TestApp) {
  const { sandbox } = needs.providers

  /** What the sandbox does differently from now on. */
  function failing(part: Partial<Provider>) {
    needs.providers.sandbox = { ...sandbox, ...part }
  }

  function mend() {
    needs.providers.sandbox = sandbox
  }

  /** @param ms since the test began */
  async function reconcileAfter(ms: number) {
    clock.offsetMs = ms
    return reconcileDuePayments(needs)
  }

  afterEach(() => {
    clock.offsetMs = 0
    mend()
  })

  return { sandbox, failing, mend, reconcileAfter }
}

export async function breakOff(): Promise<never> {
  throw new Error('The connection broke')
}
