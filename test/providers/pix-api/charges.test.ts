// Charges at a bank that behaves.
import { expect, test } from 'vitest'
import { computeCrc16 } from '../../../src/providers/br-code.ts'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { PIX_KEY } from '../../support/providers/bank/fake.ts'
import { returnPix } from '../../support/providers/bank/ledger.ts'
import { buildPixChargeKey, newPixCharge } from '../../support/providers/charges.ts'

const { bank, provider, clock, now, charged, paid } = await openBankAccount()
const DAY_MS = 24 * 3_600_000

test('a charge is asked for by our txid, with what the payer is to see', async () => {
  const charge = newPixCharge(now(), { totalCents: 123_405, title: 'Pão 🥖 '.repeat(30) })

  const outcome = await provider.charge(charge, now())

  const [{ text, headers } = { text: '', headers: {} }] = bank.calls(new RegExp(charge.txid))
  expect(JSON.parse(text)).toEqual({
    calendario: { expiracao: 1_800 },
    devedor: { cpf: '52998224725', nome: 'Maria da Silva' },
    valor: { original: '1234.05' },
    chave: PIX_KEY,
    solicitacaoPagador: [...'Pão 🥖 '.repeat(30)].slice(0, 140).join(''),
  })
  expect(headers.authorization).toMatch(/^Bearer \w+$/)
  expect(outcome).toEqual({
    status: 'pending',
    reference: charge.txid,
    pixBrCode: bank.book.cobs.get(charge.txid)!.pixCopiaECola,
    expiresAt: charge.expiresAt,
  })
})

test.each([
  ['12ABC34501DE35', { cnpj: '12ABC34501DE35', nome: 'Maria da Silva' }],
  [null, undefined],
])('the debtor %s is named as the bank wants it', async (taxId, devedor) => {
  const charge = newPixCharge(now())

  await provider.charge({ ...charge, payer: { ...charge.payer, taxId } }, now())

  expect(bank.book.cobs.get(charge.txid)?.devedor).toEqual(devedor)
})

test('a txid that no bank takes is never sent', async () => {
  const charge = newPixCharge(now(), { txid: 'PL0123456789012345678901' })

  await expect(provider.charge(charge, now())).rejects.toThrow('No bank takes')
  expect(bank.calls(/PL0123456789012345678901$/)).toEqual([])
})

test('a charge that the bank shows without its amount is ours by its txid', async () => {
  bank.next({ on: /^PUT .cob/, does: 'say', change: (said) => delete said.valor })
  const charge = newPixCharge(now())

  expect(await provider.charge(charge, now())).toMatchObject({ status: 'pending' })
})

test.each(['brcode', 'qrcode'])('the BR Code may be called %s', async (name) => {
  const change = (said: Record<string, unknown>) => {
    said[name] = said.pixCopiaECola
    delete said.pixCopiaECola
  }
  bank.next({ on: /^PUT .cob/, does: 'say', change })
  const charge = newPixCharge(now())

  const outcome = await provider.charge(charge, now())

  const { pixCopiaECola } = bank.book.cobs.get(charge.txid)!
  expect(outcome).toMatchObject({ status: 'pending', pixBrCode: pixCopiaECola })
})

test.each([
  ['is missing', undefined],
  ['was cut', '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b8'],
])('a BR Code that %s is built from the location', async (_how, code) => {
  const location = 'https://pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25'
  const change = (said: Record<string, unknown>) => {
    Object.assign(said, { pixCopiaECola: code, location: undefined, loc: { location } })
  }
  bank.next({ on: /^PUT .cob/, does: 'say', change })

  const outcome = await provider.charge(newPixCharge(now()), now())

  expect(outcome).toMatchObject({
    pixBrCode: expect.stringMatching(
      /^000201010212.*2554pix\.example\.com\/qr\/v2\/9d36b84fc70b478fb95c12729b90ca25.*540519\.90.*PADARIA SAO JOAO6009SAO PAULO/,
    ),
  })
  const { pixBrCode } = outcome as { pixBrCode: string }
  expect(pixBrCode.slice(-4)).toBe(computeCrc16(pixBrCode.slice(0, -4)))
})

test('a charge asked for again is the same one, even at a bank that refuses repeats', async () => {
  const charge = newPixCharge(now())
  const first = await provider.charge(charge, now())
  bank.book.manner.refusesRepeats = true

  const again = await provider.charge(charge, now())

  expect(again).toEqual(first)
})

test.each(['devedor', 'solicitacaoPagador'])(
  'a bank that does not take what %s says gives the code all the same',
  async (refusedField) => {
    bank.book.manner.refusedField = refusedField
    const charge = newPixCharge(now())
    const payer = { ...charge.payer, taxId: '12ABC34501DE35' }

    const outcome = await provider.charge({ ...charge, payer }, now())

    const bodies = bank
      .calls(new RegExp(`^PUT .cob.${charge.txid}`))
      .map(({ text }) => JSON.parse(text))
    expect(outcome).toMatchObject({ status: 'pending', reference: charge.txid })
    expect(bodies.at(-2)).toHaveProperty('devedor.cnpj', '12ABC34501DE35')
    expect(Object.keys(bodies.at(-1))).toEqual(['calendario', 'valor', 'chave'])
  },
)

test('a charge that the bank made with another life runs out when the bank says', async () => {
  bank.next({
    on: /^PUT .cob/,
    does: 'say',
    change: (said) => {
      said.calendario = { criacao: '2026-11-21T12:00:00.000-03:00', expiracao: 600 }
    },
  })

  const outcome = await provider.charge(newPixCharge(now()), now())

  expect(outcome).toMatchObject({ expiresAt: '2026-11-21T15:10:00.000Z' })
})

test('a charge is pending until it is paid, its expiry passed or not', async () => {
  const charge = await charged()
  clock.offsetMs = DAY_MS

  const outcome = await provider.find(buildPixChargeKey(charge, null), now())

  expect(outcome).toMatchObject({ status: 'pending', reference: charge.txid })
  const { expiresAt } = outcome as { expiresAt: string }
  expect(Math.abs(Date.parse(expiresAt) - Date.parse(charge.expiresAt))).toBeLessThan(2_000)
})

test('a paid charge tells who paid what and when', async () => {
  const { key, charge, pix } = await paid(2_500)

  const outcome = await provider.find(key, now())

  expect(outcome).toEqual({
    status: 'approved',
    reference: charge.txid,
    received: [
      {
        endToEndId: pix.endToEndId,
        amountCents: 2_500,
        paidAt: pix.horario,
        refundedCents: 0,
      },
    ],
  })
})

test('who paid is told where the bank says it, in whatever shape', async () => {
  const { key, pix } = await paid()
  const payers = [
    { nome: 'Maria da Silva', cpf: '52998224725' },
    { nome: 'Padaria Sol', cnpj: '12ABC34501DE35' },
    'Maria da Silva',
  ]

  const told = []
  for (const pagador of payers) {
    Object.assign(pix, { pagador })
    told.push(await provider.find(key, now()))
  }

  expect(told).toMatchObject([
    { received: [{ payer: { name: 'Maria da Silva', taxId: '52998224725' } }] },
    { received: [{ payer: { name: 'Padaria Sol', taxId: '12ABC34501DE35' } }] },
    { received: [expect.not.objectContaining({ payer: expect.anything() })] },
  ])
})

test.each([
  ['Maria Silva\0\0  ', 'Maria Silva'],
  ['Maria Silva \ud83d', 'Maria Silva \ufffd'],
  ['\0', null],
])('a name that its bank has padded or cut does not hinder the payment: %j', async (nome, name) => {
  const { key, pix } = await paid()
  Object.assign(pix, { pagador: { nome, cpf: '52998224725' } })

  expect(await provider.find(key, now())).toMatchObject({ received: [{ payer: { name } }] })
})

test('two payments of one charge are told as two, and those of another are not', async () => {
  const { key, charge, pix } = await paid()
  const again = bank.pay(charge.txid, 1_990)
  bank.pay(newPixCharge(now()).txid, 700)

  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({
    received: [
      { endToEndId: pix.endToEndId, amountCents: 1_990 },
      { endToEndId: again.endToEndId, amountCents: 1_990 },
    ],
  })
})

test('a charge that is called paid without a payment anywhere is told as unreadable', async () => {
  const charge = await charged()
  bank.book.cobs.get(charge.txid)!.status = 'CONCLUIDA'

  const outcome = await provider.find(buildPixChargeKey(charge, null), now())

  expect(outcome).toEqual({ status: 'unreadable', reference: charge.txid, field: null })
})

test.each(['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP', 'REMOVIDO_PELO_PSP'])(
  'a charge that is %s is canceled, and approved when it was paid all the same',
  async (status) => {
    const charge = await charged()
    const cob = bank.book.cobs.get(charge.txid)!
    cob.status = status

    const canceled = await provider.find(buildPixChargeKey(charge, null), now())
    bank.pay(charge.txid, 1_990)
    cob.status = status
    const approved = await provider.find(buildPixChargeKey(charge, null), now())

    expect(canceled).toEqual({ status: 'canceled', reference: charge.txid })
    expect(approved).toMatchObject({ status: 'approved', received: [{ amountCents: 1_990 }] })
  },
)

test('what went back at the bank is told, and what did not come off is not', async () => {
  const { key, pix } = await paid()
  returnPix(bank.book, pix, 500)
  bank.book.manner.refundStatus = 'EM_PROCESSAMENTO'
  returnPix(bank.book, pix, 300)
  bank.book.manner.refundStatus = 'NAO_REALIZADO'
  returnPix(bank.book, pix, 200)

  const outcome = await provider.find(key, now())

  expect(outcome).toMatchObject({ received: [{ amountCents: 1_990, refundedCents: 500 }] })
  expect(outcome).not.toHaveProperty('disputes')
})
