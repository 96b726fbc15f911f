// The cases of every provider, over Woovi.
import { expect, vi } from 'vitest'
import { describeProvider } from '../../support/providers/cases.ts'
import type { ProviderHarness } from '../../support/providers/harness.ts'
import { openOpenPixAccount } from '../../support/providers/openpix/account.ts'
import { givenBack } from '../../support/providers/openpix/ledger.ts'
import { buildFaultyNetwork } from '../../support/providers/server.ts'

await describeProvider('openpix', openWorld)

async function openWorld() {
  const { woovi, provider, clock, now } = await openOpenPixAccount()
  const { book } = woovi
  // The fake signs by a key of its own, which is learnt as a new one of Woovi's would be.
  const news = woovi.completed('0199aaaa-0000-7000-8000-000000000000')
  await vi.waitFor(() => expect(provider.readNotification(news)).not.toBeNull())

  const harness: ProviderHarness = {
    now,
    advance: (ms) => {
      clock.offsetMs += ms
    },
    payPix: ({ transactionId }, cents) => woovi.pay(transactionId, cents),
    refundedCentsOf: ({ transactionId }) => givenBack(book, transactionId),
    chargesOf: ({ transactionId }) => (book.charges.has(transactionId) ? 1 : 0),
    refundAtProvider: ({ transactionId }, cents) => woovi.refundHere(transactionId, cents),
    notificationOf: ({ transactionId }) => woovi.completed(transactionId),
    network: buildFaultyNetwork(woovi, /^\w+ .charge/, (said, cents) => {
      Object.assign(said.charge as object, { value: cents })
    }),
  }
  return { provider, harness }
}
