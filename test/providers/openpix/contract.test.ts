// The cases of every provider, over Woovi.
import { describeProvider } from '../../support/providers/cases.ts'
import type { ProviderHarness } from '../../support/providers/harness.ts'
import { openOpenPixAccount } from '../../support/providers/openpix/account.ts'
import { sumBookedRefunds } from '../../support/providers/openpix/ledger.ts'
import { buildFaultyNetwork } from '../../support/providers/server.ts'

await describeProvider('openpix', openHarness)

async function openHarness() {
  const { woovi, provider, clock, now } = await openOpenPixAccount()
  const { book } = woovi
  const harness: ProviderHarness = {
    now,
    advance: (ms) => {
      clock.offsetMs += ms
    },
    payPix: ({ transactionId }, cents) => woovi.pay(transactionId, cents),
    refundedCentsOf: ({ transactionId }) => sumBookedRefunds(book, transactionId),
    chargesOf: ({ transactionId }) => (book.charges.has(transactionId) ? 1 : 0),
    refundAtProvider: ({ transactionId }, cents) => woovi.refundHere(transactionId, cents),
    notificationOf: ({ transactionId }) => woovi.completed(transactionId),
    network: buildFaultyNetwork(woovi, /^\w+ .charge/, (said, cents) => {
      Object.assign(said.charge as object, { value: cents })
    }),
  }
  return { provider, harness }
}
