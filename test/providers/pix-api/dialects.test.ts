// Banks that write the same answers in their own way, and lists that hold more, or less, than was asked for.
import { expect, test } from 'vitest'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { DIALECTS, dropNamed, rewriteFields } from '../../support/providers/bank/dialects.ts'
import { returnPix } from '../../support/providers/bank/ledger.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../../support/providers/charges.ts'

const { bank, provider, clock, now, charged, paid } = await openBankAccount()
const { manner } = bank.book
const MINUTE_MS = 60_000
/** With thousands, so that it can be written in many ways. */
const PRICE_CENTS = 123_450

test.each(Object.entries(DIALECTS))(
  'a bank that writes %s is read from the charge to the refund, whether it hides payments or not',
  async (_name, speak) => {
    manner.speak = speak
    const charge = newPixCharge(now(), { totalCents: PRICE_CENTS, amountCents: PRICE_CENTS })
    const find = (...ids: string[]) =>
      provider.find(buildPixChargeKey(charge, charge.txid, ...ids), now())

    const codes = [await provider.charge(charge, now()), await find()]
    const pix = bank.pay(charge.txid, PRICE_CENTS)
    returnPix(bank.book, pix, 600)
    const shown = await find()
    manner.hidesPayments = true
    const listed = await find()
    const key = { reference: charge.txid, endToEndId: pix.endToEndId }
    const request = buildRefundRequest(charge, 110_000, key)
    const refunds = [
      await provider.refund(request, now()),
      await provider.findRefund(request, now()),
    ]

    const code = { status: 'pending', reference: charge.txid, pixBrCode: expect.any(String) }
    expect(codes).toMatchObject([code, code])
    const endToEndId = expect.stringMatching(new RegExp(pix.endToEndId, 'i'))
    const received = [{ endToEndId, amountCents: PRICE_CENTS, refundedCents: 600 }]
    const approved = { status: 'approved', reference: charge.txid, received }
    expect([shown, listed]).toMatchObject([approved, approved])
    expect(refunds).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
    const reference = request.refundId.replaceAll('-', '')
    expect(await find(pix.endToEndId)).toMatchObject({
      received: [{ refundedCents: 110_600, returns: [{}, { reference }] }],
    })
    for (const outcome of [shown, listed]) {
      const paidAt = Date.parse(getPaidAt(outcome))
      expect(Math.abs(paidAt - Date.parse(pix.horario))).toBeLessThanOrEqual(MINUTE_MS)
    }
  },
)

test.each([0, 90_000, 20 * MINUTE_MS])(
  'a bank that refuses an end in the future shows what it received, its clock %d ms behind',
  async (behindMs) => {
    Object.assign(manner, {
      ...{ refusesFuture: true, hidesPayments: true },
      clockOffsetMs: -behindMs,
    })
    const { key } = await paid()
    clock.offsetMs = 5_000

    expect(await provider.find(key, now())).toMatchObject({ received: [{ amountCents: 1_990 }] })
  },
)

test('ours is found among 150 of others, on whatever page it is', async () => {
  manner.hidesPayments = true
  manner.foreignPix = Array.from({ length: 150 }, (_, i) => buildForeignPix(i))
  const { key, pix } = await paid()

  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({ status: 'approved' })
  expect(outcome).toHaveProperty('received.length', 1)
  expect(outcome).toHaveProperty('received.0.endToEndId', pix.endToEndId)
})

test('a Pix that is listed without its charge is asked about by itself, among those of others', async () => {
  manner.hidesPayments = true
  manner.foreignPix = [buildForeignPix(1), buildForeignPix(2)]
  const { key, pix } = await paid()
  manner.speak = (body) => ('parametros' in body ? rewriteFields(dropNamed('txid'))(body) : body)

  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({ received: [{ endToEndId: pix.endToEndId, amountCents: 1_990 }] })
  expect(outcome).toHaveProperty('received.length', 1)
})

test('of a list that goes on for ever some pages are read', async () => {
  manner.hidesPayments = true
  const { key } = await paid()
  const total = { quantidadeTotalDeItens: 1e9 }
  let serial = 0
  manner.speak = (body) =>
    'parametros' in body
      ? {
          parametros: { paginacao: total },
          pix: Array.from({ length: 10 }, () => buildForeignPix(serial++)),
        }
      : body

  const countLists = () => bank.calls(/^GET .pix$/).length
  const before = countLists()

  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({ status: 'unreadable' })
  expect(countLists() - before).toBeLessThanOrEqual(50)
})

test.each(['dezenove', '1.234', '1,234', '-19.90', '19.905', '12,34,56', {}, true])(
  'an amount that could be two, or is none, is not guessed: %j',
  async (valor) => {
    const { key, charge } = await paid()
    manner.speak = (body) => JSON.parse(JSON.stringify(body, (n, v) => (n === 'valor' ? valor : v)))

    const outcome = await provider.find(key, now())

    const unreadable = { status: 'unreadable', reference: charge.txid, field: 'valor' }
    expect(outcome).toEqual(unreadable)
  },
)

test('one Pix of a charge that cannot be read hides no other', async () => {
  const { key, charge } = await paid()
  bank.pay(charge.txid, 500, { valor: 'quinhentos' })

  expect(await provider.find(key, now())).toMatchObject({
    status: 'approved',
    received: [{ amountCents: 1_990 }],
  })
})

test('a Pix that the bank shows unreadable with its charge is read from the list', async () => {
  const { key } = await paid()
  manner.speak = (body) =>
    'parametros' in body
      ? body
      : JSON.parse(JSON.stringify(body).replace(/"19.90","horario"/, '"?","horario"'))

  expect(await provider.find(key, now())).toMatchObject({ received: [{ amountCents: 1_990 }] })
})

test.each([
  ['behind a byte order mark', (pix: object) => `\uFEFF${JSON.stringify({ pix: [pix] })}`],
  ['as a bare list', (pix: object) => JSON.stringify([pix])],
  ['as an object', (pix: object) => JSON.stringify({ pix })],
  ['in data', (pix: object) => JSON.stringify({ data: { pix: [pix] } })],
  ['alone', (pix: object) => JSON.stringify(pix)],
  ['beside one without a name', (pix: object) => JSON.stringify({ pix: [null, {}, 7, pix] })],
])('a notification that names a Pix %s is read', async (_how, write) => {
  const { txid } = await charged()
  const body = Buffer.from(write({ txId: txid, valor: '19.90' }))

  const reading = provider.readNotification({ headers: {}, query: {}, body })

  expect(reading).toEqual({ kind: 'read', hints: [{ kind: 'txid', txid }] })
})

function buildForeignPix(i: number) {
  const endToEndId = `E00000000202611290000${String(i).padStart(11, '0')}`
  const txid = `outro${String(i).padStart(25, '0')}`
  return { endToEndId, txid, valor: '77.00', horario: now().toISOString(), infoPagador: 'x' }
}

function getPaidAt(outcome: object) {
  const { received = [] } = outcome as { received?: { paidAt: string }[] }
  return received[0]?.paidAt ?? ''
}
