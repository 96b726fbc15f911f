// A process is killed at each step of a charge and of a refund, while another one goes on beside it.
import { expect, test } from 'vitest'
import type { VerdictSource } from '../../src/transactions/steps.ts'
import { PIX } from '../support/payer.ts'
import { SOON } from '../support/processes/consistency-checks.ts'
import {
  beforeEventIsWritten,
  beforePixCodeIsStored,
  hangBankCall,
  hangMercadoPagoCall,
  type KillPoint,
  killProcessAt,
} from '../support/processes/kill-points.ts'
import {
  buildApprovedCard,
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const { bank, mercadoPago, openTwoServices, theOnly, makeDue, stepsOf, expectPublished } =
  realProviders

type KillCase = [when: string, at: KillPoint | null]

const MAKING_A_PIX: KillCase[] = [
  ['before the bank was asked', hangBankCall(/^POST .oauth/, false)],
  ['before the bank has made it', hangBankCall(/^PUT .cob/, false)],
  ['after the bank has made it', hangBankCall(/^PUT .cob/, true)],
  ['before its code was kept', beforePixCodeIsStored],
  ['after its code was kept', null],
]

test.each(MAKING_A_PIX)(
  'a Pix whose process is killed %s is one charge, paid and told once',
  async (_when, at) => {
    const { victim, survivor, testMerchant } = await openTwoServices()
    const submit = await testMerchant.fill(PIX)
    await killProcessAt(realProviders, victim, at, submit)

    await makeDue()
    await expect.poll(async () => (await theOnly('transactions')).pix_br_code, SOON).not.toBeNull()
    const again = await submit(survivor.baseUrl)
    const { id, pix_txid: txid } = await theOnly('transactions')
    bank.pay(txid, PRICE_CENTS)
    await sendPixNotification(survivor.baseUrl + testMerchant.pixAddress, txid)

    expect(again.status).toBe(303)
    expect([...bank.book.cobs.keys()]).toEqual([txid])
    await expectPublished(testMerchant, ['transaction.approved'])
    await expectSettledOnce(id, ['notification', 'reconciliation'])
  },
)

/** Of a notification and the next look at the bank, either may come first where much else is done. */
async function expectSettledOnce(id: string, sources: VerdictSource[]) {
  const steps = await stepsOf(id)
  expect(steps.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: 'notified', provider: 'pix-api' },
    { kind: 'settled', status: 'approved', source: expect.toBeOneOf(sources) },
  ])
}

const NOTIFIED_OF_A_PIX: KillCase[] = [
  ['before the bank says how it stands', hangBankCall(/^GET .cob/, false)],
  ['before the approval is written', beforeEventIsWritten],
  ['after the approval was written', null],
]

test.each(NOTIFIED_OF_A_PIX)(
  'a paid Pix whose process is killed %s is approved and told once',
  async (_when, at) => {
    const { victim, testMerchant } = await openTwoServices()
    await (await testMerchant.fill(PIX))()
    const { id, pix_txid: txid } = await theOnly('transactions')
    bank.pay(txid, PRICE_CENTS)
    await killProcessAt(realProviders, victim, at, () =>
      sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid),
    )

    await makeDue()

    await expectPublished(testMerchant, ['transaction.approved'])
    await expectSettledOnce(id, at ? ['reconciliation'] : ['notification', 'reconciliation'])
  },
)

const CHARGING_A_CARD: [...KillCase, status: string][] = [
  ['before it was charged', hangMercadoPagoCall(false), 'declined'],
  ['after it was charged', hangMercadoPagoCall(true), 'approved'],
  ['before the approval is written', beforeEventIsWritten, 'approved'],
  ['after the approval was written', null, 'approved'],
]

test.each(CHARGING_A_CARD)(
  'a card whose process is killed %s is charged once at most, and told',
  async (_when, at, status) => {
    const { victim, survivor, testMerchant } = await openTwoServices()
    const submit = await testMerchant.fill(buildApprovedCard())
    await killProcessAt(realProviders, victim, at, submit)

    await makeDue()
    await expect.poll(async () => (await theOnly('transactions')).status, SOON).toBe(status)
    const again = await submit(survivor.baseUrl)

    expect(again.status).toBe(303)
    const { id } = await theOnly('transactions')
    expect(mercadoPago.ordersOf(id)).toHaveLength(status === 'approved' ? 1 : 0)
    await expectPublished(testMerchant, [`transaction.${status}`])
    const settled = { kind: 'settled', status, source: 'reconciliation' }
    expect(await stepsOf(id)).toEqual(at ? [settled] : [])
  },
)

const REFUNDING: [method: 'Pix' | 'card', ...KillCase][] = [
  ['Pix', 'before the bank has done it', hangBankCall(/^PUT .*devolucao/, false)],
  ['Pix', 'after the bank has done it', hangBankCall(/^PUT .*devolucao/, true)],
  ['Pix', 'before it is written', beforeEventIsWritten],
  ['Pix', 'after it was written', null],
  // The order is read before money of it is given back.
  ['card', 'before it was asked for', hangMercadoPagoCall(true)],
  ['card', 'before it is done', hangMercadoPagoCall(false, 1)],
  ['card', 'after it is done', hangMercadoPagoCall(true, 1)],
  ['card', 'before it is written', beforeEventIsWritten],
  ['card', 'after it was written', null],
]

test.each(REFUNDING)(
  'a refund of a %s whose process is killed %s is given back once, and told once',
  async (method, _when, at) => {
    const { victim, survivor, testMerchant } = await openTwoServices()
    const id = await testMerchant.paid(method === 'Pix' ? PIX : buildApprovedCard())
    const refund = (baseUrl: string) => testMerchant.refund(baseUrl, id, 4_000)
    await killProcessAt(realProviders, victim, at, () => refund(victim.baseUrl))

    await makeDue()
    await expect.poll(async () => (await theOnly('refunds')).status, SOON).toBe('succeeded')
    const again = await refund(survivor.baseUrl)

    expect(again.status).toBe(201)
    expect(await again.json()).toMatchObject({ amountCents: 4_000, status: 'succeeded' })
    await theOnly('refunds')
    await expectPublished(testMerchant, ['transaction.approved', 'transaction.refunded'])
    expect(await theOnly('transactions')).toMatchObject({
      status: 'partially_refunded',
      refunded_cents: 4_000,
    })
  },
)
