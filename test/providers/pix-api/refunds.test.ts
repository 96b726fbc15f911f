// Charges that are given up, money that goes back, and news of a bank that behaves.
import { expect, test } from 'vitest'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { requireKind } from '../../support/kind.ts'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { PIX_KEY } from '../../support/providers/bank/fake.ts'
import { returnPix, sumDevolutions } from '../../support/providers/bank/ledger.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../../support/providers/charges.ts'

const { bank, provider, clock, now, charged, paid } = await openBankAccount()
const DAY_MS = 24 * 3_600_000

test('an unpaid charge that is given up can be paid no more', async () => {
  const charge = await charged()

  await provider.cancel(buildPixChargeKey(charge, charge.txid), now())

  const outcome = await provider.find(buildPixChargeKey(charge, charge.txid), now())
  expect(outcome).toEqual({ status: 'canceled', reference: charge.txid })
})

test('a charge that was paid before it was given up goes back in full, once', async () => {
  const { key, pix } = await paid(2_100)
  returnPix(bank.book, pix, 100)

  await provider.cancel(key, now())
  await provider.cancel(key, now())

  expect(sumDevolutions(pix)).toBe(2_100)
  expect(pix.devolucoes).toHaveLength(2)
})

test('giving up what the bank does not know, or what has run out, changes nothing', async () => {
  const charge = await charged()
  clock.offsetMs = DAY_MS
  bank.next({ on: /^PATCH/, does: 'answer', status: 400, body: '{"title":"Expirada"}' })

  await provider.cancel(buildPixChargeKey(charge, null), now())
  await provider.cancel(buildPixChargeKey(newPixCharge(now()), null), now())

  expect(bank.book.cobs.get(charge.txid)).toMatchObject({ status: 'ATIVA' })
})

test('a charge that the bank will not give up while it can be paid is said to stand', async () => {
  const charge = await charged()
  bank.next({ on: /^PATCH/, does: 'answer', status: 400, body: '{"title":"Não agora"}' })

  await expect(provider.cancel(buildPixChargeKey(charge, null), now())).rejects.toThrow('Não agora')
})

test.each([
  ['DEVOLVIDO', undefined, { status: 'succeeded', reference: expect.any(String) }],
  ['EM_PROCESSAMENTO', undefined, { status: 'processing', reference: expect.any(String) }],
  [
    'NAO_REALIZADO',
    'Saldo insuficiente',
    { status: 'failed', reason: 'insufficient_balance', reference: expect.any(String) },
  ],
  [
    'NAO_REALIZADO',
    'Conta encerrada',
    { status: 'failed', reason: 'refused', reference: expect.any(String) },
  ],
])('a refund that is %s (%s) is told so, and again when asked', async (status, reason, told) => {
  Object.assign(bank.book.manner, { refundStatus: status, refundReason: reason })
  const { charge, pix } = await paid()
  const request = buildRefundRequest(charge, 500, {
    reference: charge.txid,
    endToEndId: pix.endToEndId,
  })

  const outcome = await provider.refund(request, now())

  expect(outcome).toEqual(told)
  expect(await provider.findRefund(request, now())).toEqual(told)
  expect(pix.devolucoes).toMatchObject([
    { id: request.refundId.replaceAll('-', ''), valor: '5.00' },
  ])
})

test.each([true, false])(
  'a refund asked for twice gives back once (a bank that refuses repeats: %s)',
  async (refusesRepeats) => {
    bank.book.manner.refusesRepeats = refusesRepeats
    const { charge, pix } = await paid()
    const request = buildRefundRequest(charge, 1_990, {
      reference: null,
      endToEndId: pix.endToEndId,
    })

    const first = await provider.refund(request, now())
    const second = await provider.refund(request, now())

    expect([first, second]).toEqual([
      { status: 'succeeded', reference: expect.any(String) },
      { status: 'succeeded', reference: expect.any(String) },
    ])
    expect(sumDevolutions(pix)).toBe(1_990)
  },
)

test('more than was paid does not go back', async () => {
  const { charge, pix } = await paid()
  const request = buildRefundRequest(charge, 1_991, { reference: null, endToEndId: pix.endToEndId })

  const outcome = await provider.refund(request, now())

  expect(outcome).toEqual({ status: 'failed', reason: 'refused' })
  expect(await provider.findRefund(request, now())).toEqual({ status: 'unknown' })
})

test('a notification is read as hints, with and without what we know', async () => {
  const read = async (body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const told = { headers: {}, query: {}, body: Buffer.from(text) }
    return requireKind(await provider.readNotification(told), 'read').hints
  }
  const [one, two] = ['PL1', 'PL2'].map((txid) => ({ endToEndId: 'E1', txid, valor: '1.00' }))
  const many = Array.from({ length: 150 }, (_, i) => ({ txid: `PL${i}` }))

  expect(await read({ pix: [one, two, one] })).toEqual([
    { kind: 'txid', txid: 'PL1' },
    { kind: 'txid', txid: 'PL2' },
  ])
  expect(await read({ pix: many })).toHaveLength(100)
  expect(await read({ pix: [{}, null, 7, { txid: 7 }, { txid: "x' or 1=1" }] })).toEqual([])
  for (const garbage of ['', '{', 'null', '7', '[]', '{"pix":{}}', '{"pix":null}']) {
    expect(await read(garbage)).toEqual([])
  }
})

test('the bank is told where to send its news, and Efí not to ask us for a certificate', async () => {
  const url = 'https://vintem.example.com/webhooks/pix-api/segredo'
  const efi = createPixApiProvider({ ...bank.config, preset: 'efi' }, { now })

  await provider.registerNotifications!(url)
  await efi.registerNotifications!(url)

  expect(bank.book.webhooks.get(PIX_KEY)).toBe(url)
  const skips = bank.calls(/^PUT .webhook/).map(({ headers }) => headers['x-skip-mtls-checking'])
  expect(skips).toEqual([undefined, 'true'])
})
