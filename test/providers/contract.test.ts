// One set of cases over every adapter of the port.

import { eq } from '../../src/database/drizzle.ts'
import { sandboxRefunds } from '../../src/database/tables.ts'
import { formatDecimal } from '../../src/providers/br-code.ts'
import { createPixApiProvider } from '../../src/providers/pix-api/provider.ts'
import {
  createSandboxProvider,
  paySandboxPix,
  toSandboxReference,
} from '../../src/providers/sandbox/sandbox.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { returnPix, sumDevolutions } from '../support/providers/bank/ledger.ts'
import { describeProvider } from '../support/providers/cases.ts'
import type { PixCharge } from '../support/providers/charges.ts'
import type { ProviderHarness } from '../support/providers/harness.ts'
import { buildFaultyNetwork } from '../support/providers/server.ts'

await describeProvider('sandbox', openSandbox)
await describeProvider('pix-api', openBank)

function openClock() {
  const clock = { offsetMs: 0 }
  return {
    now: () => new Date(Date.now() + clock.offsetMs),
    advance: (ms: number) => {
      clock.offsetMs += ms
    },
  }
}

async function openSandbox() {
  const { db } = await openDatabase()
  const clock = openClock()
  const provider = createSandboxProvider({ db, challengeUrl: (reference) => `/${reference}` })
  const harness: ProviderHarness = {
    ...clock,
    payPix: ({ transactionId }, amountCents) =>
      paySandboxPix(db, { transactionId, amountCents }, clock.now()),
    async refundedCentsOf({ transactionId }) {
      const booked = await db
        .select()
        .from(sandboxRefunds)
        .where(eq(sandboxRefunds.chargeReference, toSandboxReference(transactionId)))
      return booked.reduce((sum, { amountCents }) => sum + amountCents, 0)
    },
  }
  return { provider, harness }
}

async function openBank() {
  const clock = openClock()
  const bank = await openFakeBank(clock)
  const { config, createDeadline } = bank
  const provider = createPixApiProvider(config, { now: clock.now, createDeadline })
  const paidOf = ({ txid }: PixCharge) => bank.book.pix.filter((pix) => pix.txid === txid)
  const harness: ProviderHarness = {
    ...clock,
    payPix: ({ txid }, cents) => bank.pay(txid, cents),
    refundedCentsOf: (charge) => paidOf(charge).reduce((sum, pix) => sum + sumDevolutions(pix), 0),
    chargesOf: ({ txid }) => (bank.book.cobs.has(txid) ? 1 : 0),
    refundAtProvider: (charge, cents) => returnPix(bank.book, paidOf(charge)[0]!, cents),
    notificationOf: (charge) => ({
      headers: {},
      query: {},
      body: Buffer.from(JSON.stringify({ pix: paidOf(charge) })),
    }),
    network: buildFaultyNetwork(bank, /^\w+ .(cob|pix)/, (said, cents) => {
      said.valor = { original: formatDecimal(cents) }
    }),
  }
  return { provider, harness }
}
