// What came in on an account at a bank, in one list whatever charge it was for.
import { expect, test } from 'vitest'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { dropNamed, rewriteFields } from '../../support/providers/bank/dialects.ts'
import { returnPix } from '../../support/providers/bank/ledger.ts'

const { bank, provider, clock, now, paid } = await openBankAccount()
const { manner } = bank.book

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const since = (ms: number) => ({ from: new Date(now().getTime() - ms).toISOString() })
const list = (ms: number, isReturned = false) => provider.list!({ ...since(ms), isReturned }, now())
const isOf =
  (...pix: { endToEndId: string }[]) =>
  ({ endToEndId }: { endToEndId: string }) =>
    pix.some((one) => one.endToEndId === endToEndId)

test('a list tells of each Pix its txid, its amount, its payer and what has gone back', async () => {
  const { charge, pix } = await paid(2_500)
  returnPix(bank.book, pix, 600)
  Object.assign(pix, { pagador: { nome: 'Ana Lima', cpf: '12345678909' } })
  clock.offsetMs = 2 * MINUTE_MS

  const listing = await list(10 * MINUTE_MS)

  const [gone] = pix.devolucoes
  expect(listing.pix.filter(isOf(pix))).toEqual([
    {
      endToEndId: pix.endToEndId,
      txid: charge.txid,
      amountCents: 2_500,
      paidAt: pix.horario,
      payer: { name: 'Ana Lima', taxId: '12345678909' },
      refundedCents: 600,
      returns: [{ reference: gone!.id, at: gone!.horario.liquidacao }],
    },
  ])
})

test('all pages of a list are read, and the newest Pix comes first', async () => {
  const begun = bank.book.pix.length
  for (let i = 0; i < 230; i++) {
    bank.pay('', 100, { horario: new Date(now().getTime() - i * 1_000).toISOString() })
  }
  clock.offsetMs = MINUTE_MS

  const { pix } = await list(10 * MINUTE_MS)

  const ours = pix.filter(isOf(...bank.book.pix.slice(begun)))
  expect(ours).toHaveLength(230)
  expect(ours.map(({ paidAt }) => paidAt)).toEqual(
    ours
      .map(({ paidAt }) => paidAt)
      .toSorted()
      .reverse(),
  )
  expect(ours[0]).toMatchObject({ txid: null })
})

test.each([
  ['pages of 20 items', { maxPageSize: 20 }],
  ['pages numbered from 1', { maxPageSize: 20, firstPage: 1 }],
  ['the number of items of a page for that of all', { maxPageSize: 20, countsPageAlone: true }],
])('a list is read to its end where the bank gives %s', async (_name, paging) => {
  Object.assign(manner, paging)
  const begun = bank.book.pix.length
  for (let i = 0; i < 70; i++) bank.pay('', 100)
  clock.offsetMs = MINUTE_MS

  const { pix } = await list(10 * MINUTE_MS)

  expect(pix.filter(isOf(...bank.book.pix.slice(begun)))).toHaveLength(70)
})

test('where a gateway on the way refuses the next page, the list does not count as read', async () => {
  Object.assign(manner, { maxPageSize: 20, firstPage: 0, countsPageAlone: false })
  for (let i = 0; i < 70; i++) bank.pay('', 100)
  clock.offsetMs = MINUTE_MS
  const on = /^GET .pix/
  bank.next({ on, does: 'pass' }, { on, does: 'answer', status: 404, body: '<html>' })

  await expect(list(10 * MINUTE_MS)).rejects.toThrow('404')
})

test('a page of a thousand Pix is read, with all that a bank may say of each', async () => {
  const { pix } = await paid()
  const pagador = { nome: 'Maria da Silva', cpf: '52998224725' }
  const more = { pagador, infoPagador: 'x'.repeat(140), componentesValor: { original: {} } }
  const many = Array.from({ length: 1_000 }, (_, i) => {
    return { ...pix, ...more, endToEndId: `E00000000202611290000${String(i).padStart(11, '0')}` }
  })
  bank.next({
    on: /^GET .pix$/,
    does: 'say',
    change: (said) => Object.assign(said, { pix: many }),
  })

  const listing = await list(5 * MINUTE_MS)

  expect(listing.pix.filter(isOf(...many))).toHaveLength(1_000)
})

test('a Pix that cannot be read hides no other', async () => {
  const { pix: odd } = await paid()
  const { pix } = await paid()
  odd.valor = 'R$ dez'
  clock.offsetMs = MINUTE_MS

  const listing = await list(5 * MINUTE_MS)

  expect(listing.pix.filter(isOf(odd, pix))).toMatchObject([{ endToEndId: pix.endToEndId }])
})

test('a Pix that is listed without its charge is asked about by itself', async () => {
  clock.offsetMs = 60 * MINUTE_MS
  const { charge, pix } = await paid()
  const stray = bank.pay('', 100)
  clock.offsetMs += MINUTE_MS
  manner.speak = (body) => ('parametros' in body ? rewriteFields(dropNamed('txid'))(body) : body)

  const listing = await list(5 * MINUTE_MS)

  expect(listing.pix.filter(isOf(pix))).toMatchObject([{ txid: charge.txid }])
  expect(listing.pix.filter(isOf(stray))).toMatchObject([{ txid: null }])
})

test('a bank with a clock behind ours is asked for a time that it knows', async () => {
  Object.assign(manner, { refusesFuture: true, clockOffsetMs: -5 * MINUTE_MS })
  const { pix } = await paid()
  clock.offsetMs = 20 * MINUTE_MS

  const listing = await list(60 * MINUTE_MS)

  expect(listing.pix.filter(isOf(pix))).toHaveLength(1)
  expect(Date.parse(listing.until)).toBeLessThanOrEqual(now().getTime() - 5 * MINUTE_MS)
})

test('what went back in a hundred days is listed in times that banks list', async () => {
  manner.maxListMs = 5 * DAY_MS
  const [{ pix: kept }, { pix: returned }] = [await paid(), await paid()]
  returnPix(bank.book, returned, 300)
  clock.offsetMs = 90 * DAY_MS

  const { pix } = await list(100 * DAY_MS, true)

  expect(pix.filter(isOf(kept, returned))).toMatchObject([
    { endToEndId: returned.endToEndId, refundedCents: 300 },
  ])
})
