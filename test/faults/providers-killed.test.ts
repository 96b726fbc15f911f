// A process is killed at each step of a charge and of a refund, while another one goes on beside it.
import { expect, test } from 'vitest'
import {
  bankHangs,
  beforeItIsTold,
  beforeItsCodeIsKept,
  killAt,
  type Moment,
  marketHangs,
} from '../support/killing.ts'
import { SOON } from '../support/ledger.ts'
import { PIX } from '../support/payer.ts'
import { goodCard, notify, openRealMoney, PRICE } from '../support/real-shop.ts'

const world = await openRealMoney()
const { bank, market, openTwo, theOnly, makeDue, stepsOf, expectTold } = world

type When = [when: string, at: Moment | null]

const MAKING_A_PIX: When[] = [
  ['before the bank was asked', bankHangs(/^POST .oauth/, false)],
  ['before the bank has made it', bankHangs(/^PUT .cob/, false)],
  ['after the bank has made it', bankHangs(/^PUT .cob/, true)],
  ['before its code was kept', beforeItsCodeIsKept],
  ['after its code was kept', null],
]

test.each(MAKING_A_PIX)(
  'a Pix whose process is killed %s is one charge, paid and told once',
  async (_when, at) => {
    const { victim, survivor, shop } = await openTwo()
    const submit = await shop.fill(PIX)
    await killAt(world, victim, at, submit)

    await makeDue()
    await expect.poll(async () => (await theOnly('transactions')).pix_br_code, SOON).not.toBeNull()
    const again = await submit(survivor.baseUrl)
    const { id, pix_txid: txid } = await theOnly('transactions')
    bank.pay(txid, PRICE)
    await notify(survivor.baseUrl + shop.pixAddress, txid)

    expect(again.status).toBe(303)
    expect([...bank.book.cobs.keys()]).toEqual([txid])
    await expectTold(shop, ['transaction.approved'])
    expect(await stepsOf(id)).toEqual([
      { kind: 'notified', provider: 'pix-api' },
      { kind: 'settled', status: 'approved', source: 'notification' },
    ])
  },
)

const HEARING_OF_A_PIX: When[] = [
  ['before the bank says how it stands', bankHangs(/^GET .cob/, false)],
  ['before the approval is written', beforeItIsTold],
  ['after the approval was written', null],
]

test.each(HEARING_OF_A_PIX)(
  'a paid Pix whose process is killed %s is approved and told once',
  async (_when, at) => {
    const { victim, shop } = await openTwo()
    await (await shop.fill(PIX))()
    const { id, pix_txid: txid } = await theOnly('transactions')
    bank.pay(txid, PRICE)
    await killAt(world, victim, at, () => notify(victim.baseUrl + shop.pixAddress, txid))

    await makeDue()

    await expectTold(shop, ['transaction.approved'])
    const source = at ? 'reconciliation' : 'notification'
    expect(await stepsOf(id)).toEqual([
      { kind: 'notified', provider: 'pix-api' },
      { kind: 'settled', status: 'approved', source },
    ])
  },
)

const CHARGING_A_CARD: [...When, status: string][] = [
  ['before it was charged', marketHangs(false), 'declined'],
  ['after it was charged', marketHangs(true), 'approved'],
  ['before the approval is written', beforeItIsTold, 'approved'],
  ['after the approval was written', null, 'approved'],
]

test.each(CHARGING_A_CARD)(
  'a card whose process is killed %s is charged once at most, and told',
  async (_when, at, status) => {
    const { victim, survivor, shop } = await openTwo()
    const submit = await shop.fill(goodCard())
    await killAt(world, victim, at, submit)

    await makeDue()
    await expect.poll(async () => (await theOnly('transactions')).status, SOON).toBe(status)
    const again = await submit(survivor.baseUrl)

    expect(again.status).toBe(303)
    const { id } = await theOnly('transactions')
    expect(market.ordersOf(id)).toHaveLength(status === 'approved' ? 1 : 0)
    await expectTold(shop, [`transaction.${status}`])
    const settled = { kind: 'settled', status, source: 'reconciliation' }
    expect(await stepsOf(id)).toEqual(at ? [settled] : [])
  },
)

const REFUNDING: [method: 'Pix' | 'card', ...When][] = [
  ['Pix', 'before the bank has done it', bankHangs(/^PUT .*devolucao/, false)],
  ['Pix', 'after the bank has done it', bankHangs(/^PUT .*devolucao/, true)],
  ['Pix', 'before it is written', beforeItIsTold],
  ['Pix', 'after it was written', null],
  // The order is read before money of it is given back.
  ['card', 'before it was asked for', marketHangs(true)],
  ['card', 'before it is done', marketHangs(false, 1)],
  ['card', 'after it is done', marketHangs(true, 1)],
  ['card', 'before it is written', beforeItIsTold],
  ['card', 'after it was written', null],
]

test.each(REFUNDING)(
  'a refund of a %s whose process is killed %s is given back once, and told once',
  async (method, _when, at) => {
    const { victim, survivor, shop } = await openTwo()
    const id = await shop.paid(method === 'Pix' ? PIX : goodCard())
    const refund = (baseUrl: string) => shop.refund(baseUrl, id, 4_000)
    await killAt(world, victim, at, () => refund(victim.baseUrl))

    await makeDue()
    await expect.poll(async () => (await theOnly('refunds')).status, SOON).toBe('succeeded')
    const again = await refund(survivor.baseUrl)

    expect(again.status).toBe(201)
    expect(await again.json()).toMatchObject({ amountCents: 4_000, status: 'succeeded' })
    await theOnly('refunds')
    await expectTold(shop, ['transaction.approved', 'transaction.refunded'])
    expect(await theOnly('transactions')).toMatchObject({
      status: 'partially_refunded',
      refunded_cents: 4_000,
    })
  },
)
