// Refunds at banks that fail: nothing goes back twice, and what is not known is not called refused.
import { expect, test } from 'vitest'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { sumDevolutions } from '../../support/providers/bank/ledger.ts'
import { buildRefundRequest } from '../../support/providers/charges.ts'
import { catchError } from '../../support/providers/harness.ts'

const { bank, provider, now, paid } = await openBankAccount()
const FORBIDDEN = JSON.stringify({
  type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado',
  title: 'Acesso negado',
  detail: 'Agora não',
})

test.each([401, 403, 429, 503])(
  'a refund that the bank answers %d to is not called refused',
  async (status) => {
    const { charge, pix } = await paid()
    const request = buildRefundRequest(charge, 700, { reference: null, endToEndId: pix.endToEndId })
    bank.next({ on: /devolucao/, does: 'answer', status, body: FORBIDDEN, times: 2 })

    await catchError(provider.refund(request, now()))
    bank.heal()

    expect(sumDevolutions(pix)).toBe(0)
    expect(await provider.findRefund(request, now())).toEqual({ status: 'unknown' })
  },
)

test('the word on another refund is not taken for ours', async () => {
  const { charge, pix } = await paid()
  const request = buildRefundRequest(charge, 700, { reference: null, endToEndId: pix.endToEndId })
  const change = (said: Record<string, unknown>) => {
    said.id = 'outra'
  }
  bank.next({ on: /devolucao/, does: 'say', change })

  await expect(provider.refund(request, now())).rejects.toThrow('another refund')
})

test('a gateway that knows no refunds does not make one unknown', async () => {
  const { charge, pix } = await paid()
  const request = buildRefundRequest(charge, 700, { reference: null, endToEndId: pix.endToEndId })
  bank.next({ on: /devolucao/, does: 'answer', status: 404 })

  await expect(provider.findRefund(request, now())).rejects.toThrow('404')
})
