// A Woovi that fails. What was surely not done is told apart from what may have been; nothing is guessed.
import { expect, test } from 'vitest'
import { createOpenPixProvider } from '../../../src/providers/openpix/provider.ts'
import { type Provider, ProviderDown } from '../../../src/providers/provider.ts'
import { buildPixChargeKey, newPixCharge } from '../../support/providers/charges.ts'
import { catchError } from '../../support/providers/harness.ts'
import { openOpenPixAccount } from '../../support/providers/openpix/account.ts'
import { sumBookedRefunds } from '../../support/providers/openpix/ledger.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { woovi, provider, now, paid, charged } = await openOpenPixAccount()
const error = (text: string) => JSON.stringify({ error: text })

async function chargeFails(at: Provider = provider, charge = newPixCharge(now())) {
  const failure = (await catchError(at.charge(charge, now()))) as Error
  return { failure, isDown: failure instanceof ProviderDown, charge }
}

test.each([
  [400, error('Valor inválido')],
  [401, '{"errors":[{"message":"appID inválido"}]}'],
  [403, error('Sem permissão')],
  [404, '<h1>nginx</h1>'],
  [422, error('CPF inválido')],
])('a Woovi that answers %d has charged nothing', async (status, body) => {
  woovi.next({ on: /^POST .charge$/, does: 'answer', status, body, times: 2 })

  const { isDown, charge } = await chargeFails()

  expect(isDown).toBe(true)
  expect(await provider.find(buildPixChargeKey(charge, null), now())).toEqual({ status: 'unknown' })
})

test('a charge is waited for three seconds, for its payer waits too', async () => {
  const limits: (number | undefined)[] = []
  const createDeadline = (limitMs?: number) => {
    limits.push(limitMs)
    return AbortSignal.timeout(10_000)
  }
  const other = createOpenPixProvider(woovi.config, { now, createDeadline })

  await other.charge(newPixCharge(now()), now())

  expect(limits).toEqual([3_000])
})

test('a refusal after which Woovi cannot be asked says nothing of an earlier charge', async () => {
  const { charge } = await charged()
  woovi.book.manner.refusesRepeats = true
  woovi.next({ on: /^GET .charge/, does: 'answer', status: 503 })

  const { isDown } = await chargeFails(provider, charge)

  expect(isDown).toBe(false)
  expect(await provider.charge(charge, now())).toMatchObject({ status: 'pending' })
})

test('a Woovi that has the money and cannot show the payment now is told as unreadable', async () => {
  const { charge, key } = await paid()
  woovi.book.manner.hidesPayments = true

  const made = await provider.charge(charge, now())
  const asked = await provider.find(key, now())
  woovi.book.manner.hidesPayments = false

  const unreadable = { status: 'unreadable', reference: charge.transactionId, field: null }
  expect([made, asked]).toEqual([unreadable, unreadable])
  expect(await provider.charge(charge, now())).toMatchObject({ status: 'approved' })
})

test.each([
  ['amount', { value: 1_991 }],
  ['id', { correlationID: '0199aaaa-0000-7000-8000-000000000000' }],
])('a charge that comes back with another %s is refused loudly', async (_what, other) => {
  const change = (said: Record<string, unknown>) => {
    Object.assign(said.charge as object, other)
  }
  woovi.next({ on: /^POST .charge$/, does: 'say', change })

  const { failure, isDown } = await chargeFails()

  expect(isDown).toBe(false)
  expect(failure.message).toContain('another charge')
})

test('a payment that is told under another id is not believed', async () => {
  const { key } = await paid()
  const change = (said: Record<string, unknown>) => {
    Object.assign(said.charge as object, { correlationID: 'outra' })
  }
  woovi.next({ on: /^GET .charge/, does: 'say', change })

  await expect(provider.find(key, now())).rejects.toThrow('another charge')
})

test.each<[string, WireFault]>([
  ['a 404 of a gateway', { on: /^GET .charge/, does: 'answer', status: 404 }],
  [
    'a 400 for another reason',
    { on: /^GET .charge/, does: 'answer', status: 400, body: error('?') },
  ],
  ['a 403', { on: /^GET .charge/, does: 'answer', status: 403, body: error('Sem permissão') }],
  ['a list that fails', { on: /^GET .transaction/, does: 'answer', status: 500 }],
  ['a list of refunds that fails', { on: /^GET .*refund$/, does: 'answer', status: 500 }],
  ['a dispute that cannot be read', { on: /^GET .dispute/, does: 'answer', status: 500 }],
])('%s does not make a payment unknown', async (_how, fault) => {
  const { key } = await paid()
  woovi.next(fault)

  const failure = await catchError(provider.find(key, now()))

  expect(failure).toBeInstanceOf(Error)
  expect(await provider.find(key, now())).toMatchObject({ status: 'approved' })
})

test('an AppID that may not read disputes takes payments all the same', async () => {
  const { key } = await paid()
  woovi.next({ on: /^GET .dispute/, does: 'answer', status: 403, body: error('Sem permissão') })

  expect(await provider.find(key, now())).toMatchObject({ status: 'approved' })
})

test.each([400, 403])(
  'a refund that Woovi answers %d to, unread, is not called refused',
  async (status) => {
    const { charge, refund } = await paid()
    const request = refund(700)
    woovi.next({ on: /^POST .*refund$/, does: 'answer', status })

    await catchError(provider.refund(request, now()))

    expect(sumBookedRefunds(woovi.book, charge.transactionId)).toBe(0)
    expect(await provider.findRefund(request, now())).toEqual({ status: 'unknown' })
  },
)

test('a refund refused while the list cannot be read is not called refused', async () => {
  const { refund } = await paid()
  woovi.book.manner.balanceIsShort = true
  woovi.next({ on: /^GET .*refund$/, does: 'answer', status: 500 })

  await expect(provider.refund(refund(700), now())).rejects.toThrow('500')
})

test.each([
  ['another id', { correlationID: 'outro' }],
  ['another amount', { value: 701 }],
])('the word on a refund of %s is not taken for ours', async (_what, other) => {
  const { refund } = await paid()
  const change = (said: Record<string, unknown>) => {
    Object.assign(said.refund as object, other)
  }
  woovi.next({ on: /^POST .*refund$/, does: 'say', change })

  await expect(provider.refund(refund(700), now())).rejects.toThrow('another refund')
})
