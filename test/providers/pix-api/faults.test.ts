// Banks that fail. What was surely not done is told apart from what may have been; nothing is guessed.
import { expect, test } from 'vitest'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { type Provider, ProviderDown } from '../../../src/providers/provider.ts'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { buildBankConfig, PIX_KEY } from '../../support/providers/bank/fake.ts'
import { buildPixChargeKey, newPixCharge } from '../../support/providers/charges.ts'
import { catchError } from '../../support/providers/harness.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { bank, provider, now, paid, charged } = await openBankAccount()
const problem = (kind: string, detail: string) =>
  JSON.stringify({ type: `https://pix.bcb.gov.br/api/v2/error/${kind}`, title: kind, detail })

async function chargeFails(at: Provider = provider, charge = newPixCharge(now())) {
  const error = (await catchError(at.charge(charge, now()))) as Error
  return { error, isDown: error instanceof ProviderDown, charge }
}

const { createDeadline } = bank
const at = (url: string) => createPixApiProvider(buildBankConfig(url), { now, createDeadline })

test.each<[string, WireFault]>([
  ['nothing', { on: /^PUT .cob/, does: 'answer', status: 201, body: '', works: true }],
  ['something else', { on: /^PUT .cob/, does: 'answer', status: 200, body: '[]', works: true }],
])('a bank that says %s after it has charged leaves the outcome unknown', async (_how, fault) => {
  bank.next({ ...fault })

  const { error, isDown, charge } = await chargeFails()

  expect(isDown, error.message).toBe(false)
  expect(bank.book.cobs.has(charge.txid)).toBe(true)
})

test.each([
  [400, problem('RequisicaoInvalida', 'Valor inválido')],
  [401, '{"error":"invalid_token"}'],
  [403, problem('AcessoNegado', 'Sem permissão')],
  [404, '<h1>nginx</h1>'],
  [422, '{"erros":[{"codigo":"1","mensagem":"CPF inválido"}]}'],
])('a bank that answers %d has charged nothing', async (status, body) => {
  bank.next({ on: /^PUT .cob/, does: 'answer', status, body, times: 2 })

  const { isDown, charge } = await chargeFails()

  expect(isDown).toBe(true)
  expect(await provider.find(buildPixChargeKey(charge, null), now())).toEqual({ status: 'unknown' })
})

const NO_TOKEN: [string, WireFault][] = [
  ['never comes', { on: /^POST .oauth/, does: 'hang' }],
  [
    'is refused',
    { on: /^POST .oauth/, does: 'answer', status: 401, body: '{"error":"invalid_client"}' },
  ],
  ['is nonsense', { on: /^POST .oauth/, does: 'answer', status: 200 }],
]

test.each(NO_TOKEN)('where the token %s, nothing was charged', async (_how, fault) => {
  const other = at(bank.url)
  bank.next({ ...fault })

  const { isDown, charge } = await chargeFails(other)

  expect(isDown).toBe(true)
  expect(bank.calls(new RegExp(charge.txid))).toEqual([])
  expect(await other.charge(charge, now())).toMatchObject({ status: 'pending' })
})

test('a refusal after which the bank cannot be asked says nothing of an earlier charge', async () => {
  const charge = await charged()
  bank.book.manner.refusesRepeats = true
  bank.next({ on: /^GET .cob/, does: 'answer', status: 503 })

  const { isDown } = await chargeFails(provider, charge)

  expect(isDown).toBe(false)
})

test('nor does a bank that has the money and cannot show the payment now', async () => {
  const { charge } = await paid()
  bank.book.manner.hidesPayments = true
  bank.next({ on: /^GET .pix/, does: 'answer', status: 503 })

  const { isDown } = await chargeFails(provider, charge)

  expect(isDown).toBe(false)
  expect(await provider.charge(charge, now())).toMatchObject({ status: 'approved' })
})

test.each([
  ['amount', { valor: { original: '19.91' } }],
  ['txid', { txid: 'PL99999999999999999999999999999999' }],
  ['Pix key', { chave: 'outra@loja.com.br' }],
])('a charge that comes back with another %s is refused loudly', async (_what, other) => {
  bank.next({ on: /^PUT .cob/, does: 'say', change: (said) => Object.assign(said, other) })

  const { error, isDown } = await chargeFails()

  expect(isDown).toBe(false)
  expect(error.message).toContain('another charge')
})

test('a payment that is told under another txid is not believed', async () => {
  const { key } = await paid()
  const change = (said: Record<string, unknown>) => {
    said.txid = 'PL99999999999999999999999999999999'
  }
  bank.next({ on: /^GET .cob/, does: 'say', change })

  await expect(provider.find(key, now())).rejects.toThrow('another charge')
})

test('a payment on a Pix key that the company has left since is still found', async () => {
  const { key } = await paid()
  const since = createPixApiProvider({ ...bank.config, pixKey: 'nova@padaria.com.br' }, { now })

  expect(await since.find(key, now())).toMatchObject({
    status: 'approved',
    received: [{ amountCents: 1_990 }],
  })
})

test('a key that the bank writes in capitals is still ours', async () => {
  const change = (said: Record<string, unknown>) => {
    said.chave = PIX_KEY.toUpperCase()
  }
  bank.next({ on: /^PUT .cob/, does: 'say', change })

  const outcome = await provider.charge(newPixCharge(now()), now())

  expect(outcome).toMatchObject({ status: 'pending' })
})

test('a 404 of a gateway does not make a charge unknown', async () => {
  const { key } = await paid()
  bank.next({ on: /^GET .cob/, does: 'answer', status: 404 })

  await catchError(provider.find(key, now()))

  expect(await provider.find(key, now())).toMatchObject({ status: 'approved' })
})
