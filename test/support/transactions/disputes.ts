// Payments at a bank that tells of disputes.
import type { ProviderDispute } from '../../../src/providers/provider.ts'
import { openCheckout } from '../payer.ts'
import { openAccountsAtBank } from '../providers/accounts.ts'
import type { TestApp } from '../test-app.ts'

let references = 0

export function openDisputes(testApp: TestApp) {
  const { read } = openCheckout(testApp)
  const { openPaidPix } = openAccountsAtBank(testApp)

  /** Of all of it, open, unless told otherwise. */
  function buildDispute(more: Partial<ProviderDispute>): ProviderDispute {
    const at = testApp.clock.now().toISOString()
    return {
      ...{ reference: `med${references++}`, kind: 'med', endToEndId: null, reason: 'MED_FRAUDE' },
      ...{ amountCents: 10_000, status: 'open', openedAt: at, closedAt: null, respondBy: null },
      ...more,
    }
  }

  return { openPaidPix, buildDispute, read }
}
