// Chargebacks as Mercado Pago tells of them: notified by case, read from the order, with the deadline
// that only the case knows.
import { expect, test } from 'vitest'
import { getReceived } from '../../support/providers/harness.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'

const { fake, provider, pix, card, chargeOf, find } = await openMercadoPago()

const ID = 'ORDTST01KYMB0S1TKGKCWFSB1ZRR3EW7'

test('a chargeback is notified under the number of its case, and points at the order', () => {
  const how = { type: 'topic_chargebacks_wh', caseId: '123456' }

  const told = fake.notification(ID, how)
  const forged = fake.notification(ID, { ...how, secret: 'another-secret' })

  expect(told.query).toEqual({ 'data.id': '123456', type: 'topic_chargebacks_wh' })
  expect(provider.readNotification(told)).toEqual({
    kind: 'read',
    hints: [{ kind: 'reference', reference: ID }],
  })
  expect(provider.readNotification(forged)).toMatchObject({ kind: 'forged' })
})

test.each([
  // As told of payments that have no order.
  { type: 'topic_chargebacks_wh', data: { id: 217000061307271000, payment_id: 81034165129 } },
  { type: 'order', data: { id: 217000061307271000 } },
  { type: 'order', data: {} },
  'nothing',
])('a chargeback that names no order is taken and points at nothing: %j', (body) => {
  const told = fake.notification(ID, { type: 'topic_chargebacks_wh', caseId: '123456' })

  const hints = provider.readNotification({ ...told, body: Buffer.from(JSON.stringify(body)) })

  expect(hints).toEqual({ kind: 'read', hints: [] })
})

test.each([
  ['in_process', 'open'],
  ['opened', 'open'],
  ['settled', 'lost'],
  ['reimbursed', 'won'],
  ['constructor', 'open'],
])('a chargeback that is %s is a dispute that is %s', async (told, status) => {
  const request = card('ok', { installments: 3, totalCents: 10_401 })
  const reference = await chargeOf(request)
  const { transaction_id } = fake.dispute(reference, told)

  const outcome = await find(request, reference)

  expect(outcome).toMatchObject({
    status: 'approved',
    paidCents: 10_401,
    disputes: [
      {
        reference: transaction_id,
        kind: 'card',
        endToEndId: transaction_id,
        amountCents: 10_401,
        status,
        closedAt: status === 'open' ? null : expect.any(String),
      },
    ],
  })
})

test.each([
  ['in_process', 'open'],
  ['settled', 'lost'],
  ['a word of its own', 'lost'],
  ['reimbursed', 'won'],
])(
  'an order that is charged back (%s) and names no chargeback is disputed too, and once',
  async (detail, status) => {
    const request = card()
    const reference = await chargeOf(request)
    fake.moveTo(reference, 'charged_back', detail)

    const unnamed = await find(request, reference)
    const { transaction_id } = fake.dispute(reference, 'settled')
    const named = await find(request, reference)

    expect(unnamed).toMatchObject({
      disputes: [{ reference: transaction_id, kind: 'card', status, amountCents: 10_000 }],
    })
    expect(named).toMatchObject({ disputes: [{ reference: transaction_id, status: 'lost' }] })
  },
)

test('of a part, the amount is what the chargeback says', async () => {
  const request = card()
  const reference = await chargeOf(request)
  fake.dispute(reference, 'in_process', 4_000)

  expect(await find(request, reference)).toMatchObject({
    disputes: [{ amountCents: 4_000, status: 'open' }],
  })
})

test('a second part that is contested is open while the first is lost', async () => {
  const request = card()
  const reference = await chargeOf(request)
  const first = fake.dispute(reference, 'settled', 4_000)
  const second = { ...first, id: `${first.id}-2`, status: 'in_process', amount: '30.00' }
  fake.orderOf(reference).transactions.chargebacks.push(second)

  expect(await find(request, reference)).toMatchObject({
    disputes: [
      { amountCents: 4_000, status: 'lost' },
      { amountCents: 3_000, status: 'open', closedAt: null },
    ],
  })
})

test('a chargeback with a number as its id is one all the same', async () => {
  const request = card()
  const reference = await chargeOf(request)
  fake.dispute(reference, 'in_process', 4_000)
  fake.moveTo(reference, 'processed', 'accredited')
  Object.assign(fake.orderOf(reference).transactions.chargebacks[0]!, { id: 217_000_061 })

  expect(await find(request, reference)).toMatchObject({
    disputes: [{ amountCents: 4_000, status: 'open' }],
  })
})

test('a Pix taken back by its bank says which Pix it was', async () => {
  const request = pix()
  const reference = await chargeOf(request)
  fake.payPix(reference)
  fake.dispute(reference, 'settled')

  const outcome = await find(request, reference)

  const [received] = getReceived(outcome)
  expect(received).toMatchObject({ endToEndId: expect.stringMatching(/^E\w{31}$/) })
  expect(outcome).toMatchObject({
    disputes: [
      {
        ...{ kind: 'med', status: 'lost', amountCents: 10_000 },
        endToEndId: received!.endToEndId,
      },
    ],
  })
})

test('until when evidence may be sent, and why it is asked for, the case says', async () => {
  const request = card()
  const reference = await chargeOf(request)
  const { case_id } = fake.dispute(reference, 'in_process')
  const before = await find(request, reference)

  fake.openCase(case_id, {
    id: case_id,
    reason: 'general',
    date_created: '2026-11-20T10:00:00.000-03:00',
    date_documentation_deadline: '2026-12-02T20:59:59.000-03:00',
  })
  const after = await find(request, reference)

  expect([before, after]).toMatchObject([
    { disputes: [{ reason: null, respondBy: null }] },
    {
      disputes: [
        {
          reason: 'general',
          openedAt: '2026-11-20T13:00:00.000Z',
          respondBy: '2026-12-02T23:59:59.000Z',
        },
      ],
    },
  ])
})

test('a case that cannot be read does not stop the reading of the order', async () => {
  const request = card()
  const reference = await chargeOf(request)
  fake.dispute(reference, 'in_process')

  fake.next({ does: 'pass' }, { does: 'answer', status: 201 })
  const outcome = await find(request, reference)

  expect(outcome).toMatchObject({ status: 'approved', disputes: [{ respondBy: null }] })
})

test('what is closed is asked about no more, and a payment without chargebacks has no disputes', async () => {
  const [disputed, quiet] = [card(), card()]
  const references = [await chargeOf(disputed), await chargeOf(quiet)]
  fake.dispute(references[0]!, 'settled')
  const before = fake.calls(/^GET .*chargebacks/).length

  await find(disputed, references[0])
  const outcome = await find(quiet, references[1])

  expect(fake.calls(/^GET .*chargebacks/)).toHaveLength(before)
  expect(outcome).not.toHaveProperty('disputes')
})
