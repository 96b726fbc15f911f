// Charges that are given up, money that goes back, and news of a bank: nothing goes back twice, and what is not known is
// not called refused.
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
import { catchError } from '../../support/providers/harness.ts'

const { bank, provider, clock, now, charged, paid } = await openBankAccount()
const DAY_MS = 24 * 3_600_000

async function paidWithRefund(amountCents = 700) {
  const { charge, pix } = await paid()
  const { endToEndId } = pix
  return { pix, request: buildRefundRequest(charge, amountCents, { reference: null, endToEndId }) }
}

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
  const { request, pix } = await paidWithRefund(500)

  const outcome = await provider.refund(request, now())

  expect(outcome).toMatchObject(told)
  expect(await provider.findRefund(request, now())).toMatchObject(told)
  expect(pix.devolucoes).toMatchObject([
    { id: request.refundId.replaceAll('-', ''), valor: '5.00' },
  ])
})

test('a bank that refuses to repeat a refund gives back once, and tells of it', async () => {
  bank.book.manner.refusesRepeats = true
  const { request, pix } = await paidWithRefund(1_990)

  const outcomes = [await provider.refund(request, now()), await provider.refund(request, now())]

  const done = { status: 'succeeded', reference: expect.any(String) }
  expect(outcomes).toMatchObject([done, done])
  expect(sumDevolutions(pix)).toBe(1_990)
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

const FORBIDDEN = JSON.stringify({
  type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado',
  title: 'Acesso negado',
  detail: 'Agora não',
})

test.each([403, 503])(
  'a refund that the bank answers %d to is not called refused',
  async (status) => {
    const { request, pix } = await paidWithRefund()
    bank.next({ on: /devolucao/, does: 'answer', status, body: FORBIDDEN, times: 2 })

    await catchError(provider.refund(request, now()))
    bank.heal()

    expect(sumDevolutions(pix)).toBe(0)
    expect(await provider.findRefund(request, now())).toEqual({ status: 'unknown' })
  },
)

test('the word on another refund is not taken for ours', async () => {
  const { request } = await paidWithRefund()
  const change = (said: Record<string, unknown>) => {
    said.id = 'outra'
  }
  bank.next({ on: /devolucao/, does: 'say', change })

  await expect(provider.refund(request, now())).rejects.toThrow('another refund')
})

test('a gateway that knows no refunds does not make one unknown', async () => {
  const { request } = await paidWithRefund()
  bank.next({ on: /devolucao/, does: 'answer', status: 404 })

  await expect(provider.findRefund(request, now())).rejects.toThrow('404')
})
