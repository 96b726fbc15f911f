// What came in at banks that do not list it with its charge, or not all of it.
import { expect, test } from 'vitest'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { returnPix } from '../../support/providers/bank/ledger.ts'
import { buildPixChargeKey } from '../../support/providers/charges.ts'

const { bank, provider, clock, now, charged, paid } = await openBankAccount()

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test('a payment of long ago is looked for in times that banks list', async () => {
  Object.assign(bank.book.manner, { hidesPayments: true, maxListMs: 5 * DAY_MS })
  const charge = await charged()
  clock.offsetMs = 6 * DAY_MS
  bank.pay(charge.txid, 1_990)
  clock.offsetMs = 20 * DAY_MS

  const outcome = await provider.find(buildPixChargeKey(charge, charge.txid), now())

  expect(outcome).toMatchObject({ received: [{ amountCents: 1_990 }] })
})

test.each([
  ['lists no payments', { hidesPayments: true }],
  ['lists payments without what went back', { hidesDevolutions: true }],
])('what went back at a bank that %s is found by the payment itself', async (_how, manner) => {
  Object.assign(bank.book.manner, manner, { maxListMs: 0 })
  const { charge, pix } = await paid()
  returnPix(bank.book, pix, 600)
  clock.offsetMs = 80 * DAY_MS

  const key = buildPixChargeKey(charge, charge.txid, pix.endToEndId)
  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({ received: [{ amountCents: 1_990, refundedCents: 600 }] })
})

test('a second Pix is found at a bank that lists none, and what went back of either', async () => {
  bank.book.manner.hidesPayments = true
  const { charge, pix } = await paid()
  const again = bank.pay(charge.txid, 1_990)
  returnPix(bank.book, again, 600)
  const find = (...ids: string[]) =>
    provider.find(buildPixChargeKey(charge, charge.txid, ...ids), now())

  const found = [await find(pix.endToEndId), await find(pix.endToEndId, again.endToEndId)]

  const received = [{ refundedCents: 0 }, { refundedCents: 600 }]
  expect(found).toMatchObject([{ received }, { received }])
})

test.each([
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 0],
  ['ATIVA', 2 * MINUTE_MS],
])(
  'a Pix that a bank shows in its list alone is found, though it calls the charge %s',
  async (status, afterMs) => {
    bank.book.manner.hidesPayments = true
    const { charge, key, pix } = await paid()
    bank.book.cobs.get(charge.txid)!.status = status
    clock.offsetMs = afterMs

    const found = { status: 'approved', received: [{ endToEndId: pix.endToEndId }] }
    expect(await provider.find(key, now())).toMatchObject(found)
  },
)

test.each([
  ['failed', { does: 'answer', status: 500 }],
  ['cannot be read', { does: 'say', change: (said: object) => Object.assign(said, { pix: 7 }) }],
] as const)('an unpaid charge is unpaid also when the list %s', async (_how, fault) => {
  const charge = await charged()
  clock.offsetMs = 2 * MINUTE_MS
  bank.next({ on: /^GET .pix$/, ...fault })

  const key = buildPixChargeKey(charge, charge.txid)
  expect(await provider.find(key, now())).toMatchObject({ status: 'pending' })
})

test('a return that a bank lists once for each of its states counts once, another one beside it too', async () => {
  const { key, pix } = await paid()
  const returned = returnPix(bank.book, pix, 600)
  pix.devolucoes.unshift({ ...returned, status: 'EM_PROCESSAMENTO' }, { ...returned })
  const other = returnPix(bank.book, pix, 600)
  Object.assign(other, { id: returned.id })
  const refused = returnPix(bank.book, pix, 90)
  pix.devolucoes.push({ ...refused, status: 'NAO_REALIZADO' })
  Object.assign(refused, { status: 'EM_PROCESSAMENTO' })

  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({ received: [{ amountCents: 1_990, refundedCents: 1_200 }] })
})

test('a bank that will not show a payment by itself is believed by its charge', async () => {
  const { charge, pix } = await paid()
  bank.next({ on: /^GET .pix/, does: 'answer', status: 403 })

  const key = buildPixChargeKey(charge, charge.txid, pix.endToEndId)

  expect(await provider.find(key, now())).toMatchObject({ received: [{ amountCents: 1_990 }] })
})

test.each([
  ['gives a reason longer than any', { motivo: 'x'.repeat(1_200) }],
  ['gives its reason as a code', { motivo: 17 }],
  ['has a number for an id', { id: 217_000, rtrId: 31 }],
])('a Pix is read though a devolução of it %s', async (_how, odd) => {
  const { key, pix } = await paid()
  Object.assign(returnPix(bank.book, pix, 500), odd)

  expect(await provider.find(key, now())).toMatchObject({
    received: [{ amountCents: 1_990, refundedCents: 500 }],
  })
})
