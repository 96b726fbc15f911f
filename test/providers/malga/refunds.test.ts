// Money given back through Malga, by us and at Malga itself. Malga may keep our key with a refund or a key of its own, and
// may take what went back off the amount or not: both are read.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import type { CardCharge, EarlierRefund, RefundRequest } from '../../../src/providers/provider.ts'
import { openMalga } from '../../support/providers/malga/account.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { clock, fake, provider, card, chargeOf, find } = await openMalga()

const VOID = /void$/

function refundOf(
  { transactionId, method, totalCents }: CardCharge,
  chargeReference: string,
  amountCents: number,
  ...earlier: EarlierRefund[]
): RefundRequest {
  const key = { refundId: newId(), transactionId, method, endToEndId: null, reference: null }
  const others = { earlier, laterReferences: [], isFirst: true }
  return { ...key, chargeReference, amountCents, totalCents, ...others }
}

const refund = (request: RefundRequest) => provider.refund(request, clock.now())
const findRefund = (request: RefundRequest, reference: string | null) =>
  provider.findRefund({ ...request, reference }, clock.now())
const voidsOf = ({ transactionId }: CardCharge) =>
  fake
    .chargeOf(transactionId)
    .transactionRequests.filter(({ requestType }) => requestType === 'void')

async function paid() {
  const charge = card()
  return { charge, reference: await chargeOf(charge) }
}

const READINGS = [true, false].flatMap((keepsKeys) =>
  [true, false].map((shrinks): [boolean, boolean] => [keepsKeys, shrinks]),
)

test.each(READINGS)(
  'parts go back to the last cent, each once (keys of ours: %s, amounts shrink: %s)',
  async (keepsKeys, shrinks) => {
    Object.assign(fake.book.manner, { keepsKeys, shrinks })
    const { charge, reference } = await paid()
    const first = refundOf(charge, reference, 3_000)

    const outcomes = [await refund(first), await refund(first)]
    const [one] = voidsOf(charge)
    const between = await find(charge, reference)
    const known = { reference: one!.id, amountCents: 3_000, isDone: true }
    const tooMuch = await refund(refundOf(charge, reference, 7_402, known))
    const second = await refund(refundOf(charge, reference, 3_000, known))
    const rest = await refund(refundOf(charge, reference, 4_401, known))

    expect(outcomes).toMatchObject(
      outcomes.map(() => ({ status: 'succeeded', reference: one!.id })),
    )
    expect(between).toMatchObject({
      ...{ status: 'approved', paidCents: 10_401, refundedCents: 3_000 },
      returns: [{ reference: one!.id }],
    })
    expect(tooMuch).toEqual({ status: 'failed', reason: 'refused' })
    expect(second).toMatchObject({ status: 'succeeded', reference: voidsOf(charge)[1]!.id })
    expect(rest).toMatchObject({ status: 'succeeded' })
    expect(voidsOf(charge).map(({ amount }) => amount)).toEqual([3_000, 3_000, 4_401])
    expect(await find(charge, reference)).toMatchObject({ refundedCents: 10_401 })
    expect(fake.calls(VOID).at(-1)!.headers['x-idempotency-key']).toBeTruthy()
  },
)

const works = { on: VOID, works: true } as const

test.each<[string, WireFault, boolean]>(
  [true, false].flatMap((keepsKeys): [string, WireFault, boolean][] => [
    ['answers nothing', { ...works, does: 'hang' }, keepsKeys],
    ['a gateway on the way answers 404', { ...works, does: 'answer', status: 404 }, keepsKeys],
  ]),
)(
  'when Malga gives back and %s, asking again gives back nothing more',
  async (_how, fault, keepsKeys) => {
    fake.book.manner.keepsKeys = keepsKeys
    const { charge, reference } = await paid()
    const request = refundOf(charge, reference, 4_000)
    fake.next(fault)

    await expect(refund(request)).rejects.toThrow()
    const found = await findRefund(request, null)
    // As if the key were forgotten there by then.
    fake.book.keys.forget()
    const again = await refund({ ...request, isFirst: false })

    const [made, more] = voidsOf(charge)
    expect(found.status).toBe(keepsKeys ? 'succeeded' : 'unknown')
    expect(again).toMatchObject({ status: 'succeeded', reference: made!.id })
    expect(more).toBeUndefined()
  },
)

test.each([true, false])(
  'a refund that the answer does not list is the one that the charge lists (keys of ours: %s)',
  async (keepsKeys) => {
    Object.assign(fake.book.manner, { listsRefunds: false, keepsKeys })
    const { charge, reference } = await paid()

    const outcome = await refund(refundOf(charge, reference, 2_000))

    expect(outcome).toMatchObject({ status: 'succeeded', reference: voidsOf(charge)[0]!.id })
  },
)

test.each([
  ['processing', 'processing'],
  ['timeout', 'unconfirmed'],
  ['failed', 'failed'],
])('a refund that is %s at its acquirer is %s, and nothing has gone back', async (how, status) => {
  fake.book.manner.refunds = how
  const { charge, reference } = await paid()
  const request = refundOf(charge, reference, 1_000)

  const outcome = await refund(request)

  const [made] = voidsOf(charge)
  expect(outcome).toMatchObject({ status, reference: made!.id })
  expect(await find(charge, reference)).toMatchObject({ status: 'approved', refundedCents: 0 })
  made!.requestStatus = 'success'
  expect(await findRefund(request, made!.id)).toMatchObject({ status: 'succeeded' })
})

test.each([
  [
    409,
    { error: { type: 'bad_request', message: 'Transaction is processing' } },
    true,
    'unconfirmed',
  ],
  [400, { error: { type: 'bad_request', message: 'amount exceeds' } }, true, 'failed'],
  [400, { error: { type: 'bad_request', message: 'amount exceeds' } }, false, 'unconfirmed'],
])('a refusal with %d (%j; sent first: %s) is %s', async (status, body, isFirst, ours) => {
  const { charge, reference } = await paid()
  const request = { ...refundOf(charge, reference, 1_000), isFirst }
  fake.next({ on: VOID, does: 'answer', status, body: JSON.stringify(body) })

  expect(await refund(request)).toMatchObject({ status: ours })
})

test('money given back at Malga itself is told with the payment, and what an acquirer takes back again too', async () => {
  const { charge, reference } = await paid()

  fake.refundHere(charge.transactionId, 2_500)
  const part = await find(charge, reference)
  fake.tell(charge.transactionId, 'revert_void').amount = 2_500
  fake.chargeOf(charge.transactionId).amount = 10_401
  const reverted = await find(charge, reference)
  fake.refundHere(charge.transactionId, 10_401)
  fake.chargeOf(charge.transactionId).status = 'voided'

  expect(part).toMatchObject({ status: 'approved', refundedCents: 2_500 })
  expect(reverted).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await find(charge, reference)).toMatchObject({ status: 'approved', refundedCents: 10_401 })
})

test('a payment that Malga does not know gives nothing back', async () => {
  const { charge } = await paid()
  const request = refundOf(charge, newId(), 1_000)

  expect(await refund(request)).toEqual({ status: 'failed', reason: 'refused' })
  expect(await findRefund(request, null)).toEqual({ status: 'unknown' })
})
