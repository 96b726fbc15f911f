// What a bank tells of a Pix that its payer's bank asks back (MED).
import { expect, test } from 'vitest'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { returnPix } from '../../support/providers/bank/ledger.ts'

const { bank, provider, now, paid } = await openBankAccount()

test.each([
  ['EM_PROCESSAMENTO', 'MED_FRAUDE', 'open'],
  ['DEVOLVIDO', 'MED_FRAUDE', 'lost'],
  ['DEVOLVIDO', 'MED_OPERACIONAL', 'lost'],
  ['DEVOLVIDO', 'MED_PIX_AUTOMATICO', 'lost'],
  ['NAO_REALIZADO', 'MED_OPERACIONAL', 'won'],
])(
  'a devolução %s of nature %s is a dispute that is %s, and no refund',
  async (told, reason, status) => {
    const { key, pix } = await paid()
    bank.book.manner.refundStatus = told
    const { id: reference, horario } = returnPix(bank.book, pix, 1_990, reason)

    const outcome = await provider.find(key, now())

    const { endToEndId } = pix
    expect(outcome).toMatchObject({ received: [{ amountCents: 1_990, refundedCents: 0 }] })
    expect(outcome).toHaveProperty('disputes', [
      {
        ...{ reference, kind: 'med', endToEndId, reason, amountCents: 1_990, status },
        ...{ openedAt: horario.solicitacao, respondBy: null },
        closedAt: status === 'open' ? null : horario.liquidacao,
      },
    ])
  },
)

test.each([undefined, null])(
  'a devolução of a MED that says nothing else (%s) is a dispute',
  async (nothing) => {
    const { key, pix } = await paid()
    bank.book.manner.refundStatus = 'EM_ANALISE'
    const devolution = returnPix(bank.book, pix, 500, 'MED_FRAUDE')
    Object.assign(devolution, { id: nothing, rtrId: nothing, horario: 'ontem' })

    const [first, again] = [await provider.find(key, now()), await provider.find(key, now())]

    const reference = `${pix.endToEndId}-0`
    expect(first).toMatchObject({ disputes: [{ reference, status: 'open', amountCents: 500 }] })
    expect(again).toMatchObject({ disputes: [{ reference }] })
  },
)

test('refunds and disputes of one Pix are told apart', async () => {
  const { key, pix } = await paid()
  returnPix(bank.book, pix, 500)
  returnPix(bank.book, pix, 300, 'MED_FRAUDE')

  expect(await provider.find(key, now())).toMatchObject({
    received: [{ refundedCents: 500 }],
    disputes: [{ amountCents: 300, status: 'lost' }],
  })
})
