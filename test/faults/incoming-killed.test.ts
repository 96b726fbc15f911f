// A process is killed at each step of a Pix that comes in beside the first, and of what goes back of several,
// while another one goes on beside it.
import { expect, test } from 'vitest'
import { PIX } from '../support/payer.ts'
import { SOON } from '../support/processes/consistency-checks.ts'
import {
  atNight,
  beforeEventIsWritten,
  beforeIncomingIsWritten,
  hangCall,
  type KillCase,
  killProcessAt,
} from '../support/processes/kill-points.ts'
import {
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const { bank, openTwoServices, theOnly, rowsOf, makeDue, expectPublished } = realProviders

const APPROVED = 'transaction.approved'
const NOTIFIED: KillCase[] = [
  ['before its event is written', beforeEventIsWritten],
  ...atNight([
    ['before the bank says how it stands', hangCall(bank, /^GET .cob/, false)],
    ['before it is booked', beforeIncomingIsWritten],
    ['after all of it was written', null],
  ]),
]

/** A payment with a code that was shown, and a process that is told of what is paid. */
async function openPayment() {
  const { victim, survivor, testMerchant } = await openTwoServices()
  await (await testMerchant.fill(PIX))()
  const { id, pix_txid: txid } = await theOnly('transactions')
  const notify = (at: string) => sendPixNotification(at + testMerchant.pixAddress, txid)
  // Each asks about a payment once in two seconds.
  const notifyFirst = () => notify(survivor.baseUrl)
  const notifyVictim = () => notify(victim.baseUrl)
  return { victim, survivor, testMerchant, id, txid, notifyFirst, notifyVictim }
}

test.each(NOTIFIED)(
  'when its process is killed %s, a second Pix is booked and told once, and the sale stays',
  async (_when, at) => {
    const { victim, testMerchant, txid, notifyFirst, notifyVictim } = await openPayment()
    bank.pay(txid, PRICE_CENTS)
    await notifyFirst()
    bank.pay(txid, PRICE_CENTS)
    await killProcessAt(realProviders, victim, at, notifyVictim)

    await makeDue()

    await expectPublished(testMerchant, [APPROVED, 'transaction.overpaid'])
    expect(await theOnly('transactions')).toMatchObject({ status: 'approved', refunded_cents: 0 })
  },
)

test.each(NOTIFIED)(
  'when its process is killed %s, the rest of a sale completes it once',
  async (_when, at) => {
    const { victim, testMerchant, txid, notifyFirst, notifyVictim } = await openPayment()
    bank.pay(txid, 6_000)
    await notifyFirst()
    bank.pay(txid, PRICE_CENTS - 6_000)
    await killProcessAt(realProviders, victim, at, notifyVictim)

    await makeDue()

    await expectPublished(testMerchant, ['transaction.held', APPROVED])
    expect(await theOnly('transactions')).toMatchObject({ status: 'approved', hold_reason: null })
  },
)

const REFUNDING: KillCase[] = [
  ['after the bank has done the first part', hangCall(bank, /^PUT .*devolucao/, true)],
  ...atNight([
    ['before the bank has done any of it', hangCall(bank, /^PUT .*devolucao/, false)],
    ['before the first part is written', beforeEventIsWritten],
    ['after all of it was written', null],
  ]),
]

test.each(REFUNDING)(
  'when its process is killed %s, a refund of two Pix gives each back once',
  async (_when, at) => {
    const { victim, survivor, testMerchant, id, txid, notifyFirst } = await openPayment()
    bank.pay(txid, 6_000)
    bank.pay(txid, 4_000)
    await notifyFirst()
    const refund = (baseUrl: string) => testMerchant.refund(baseUrl, id, PRICE_CENTS)
    await killProcessAt(realProviders, victim, at, () => refund(victim.baseUrl))

    await makeDue()
    const listPending = () => rowsOf(`select from refunds where status = 'pending'`)
    await expect.poll(listPending, SOON).toEqual([])
    const again = await refund(survivor.baseUrl)

    expect(await again.json()).toMatchObject({ amountCents: PRICE_CENTS, status: 'succeeded' })
    const refunded = 'transaction.refunded'
    await expectPublished(testMerchant, [APPROVED, refunded, refunded])
    expect(await theOnly('transactions')).toMatchObject({ status: 'refunded' })
  },
)

test.each(REFUNDING)(
  'when its process is killed %s, a surplus goes back once, and the sale stays',
  async (_when, at) => {
    const { victim, testMerchant, id, txid, notifyFirst } = await openPayment()
    bank.pay(txid, PRICE_CENTS)
    bank.pay(txid, PRICE_CENTS)
    await notifyFirst()
    const [second] = await rowsOf<{ id: string }>(
      'select id from incoming_payments where surplus_cents > 0',
    )
    const refund = () => testMerchant.refund(victim.baseUrl, id, PRICE_CENTS, second!.id)
    await killProcessAt(realProviders, victim, at, refund)

    await makeDue()

    const returned = 'transaction.surplus_refunded'
    await expectPublished(testMerchant, [APPROVED, 'transaction.overpaid', returned])
    expect(await theOnly('transactions')).toMatchObject({ status: 'approved', refunded_cents: 0 })
  },
)
