// The one address that a Pix key has at its bank: somebody else's is not replaced without a word.
import { afterEach, expect, test } from 'vitest'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import { PIX_KEY } from '../../support/providers/bank/fake.ts'

const OURS = 'https://vintem.example.com/webhooks/pix-api/segredo'
const THEIRS = 'https://erp.example.com/pix'
const { bank, provider } = await openBankAccount()
const { webhooks } = bank.book

afterEach(() => webhooks.clear())

test('a key without an address gets ours', async () => {
  expect(await provider.findRegistration!(OURS)).toEqual({ kind: 'none' })

  expect(await provider.registerNotifications!(OURS)).toEqual({ kind: 'registered' })

  expect(webhooks.get(PIX_KEY)).toBe(OURS)
  expect(await provider.findRegistration!(OURS)).toEqual({ kind: 'ours' })
})

test('the address of another system is told and kept, until it is to be replaced', async () => {
  webhooks.set(PIX_KEY, THEIRS)

  const kept = await provider.registerNotifications!(OURS)
  const standing = webhooks.get(PIX_KEY)
  const replaced = await provider.registerNotifications!(OURS, { replace: true })

  expect(kept).toEqual({ kind: 'kept', url: THEIRS })
  expect(standing).toBe(THEIRS)
  expect(replaced).toEqual({ kind: 'registered' })
  expect(webhooks.get(PIX_KEY)).toBe(OURS)
})

test.each([`${OURS}/pix`, `${OURS}/`])('our address is ours as %s too', async (told) => {
  webhooks.set(PIX_KEY, told)

  expect(await provider.findRegistration!(OURS)).toEqual({ kind: 'ours' })
  expect(await provider.registerNotifications!(OURS)).toEqual({ kind: 'registered' })
})

test('an address that cannot be read is not replaced unless that is asked for', async () => {
  webhooks.set(PIX_KEY, THEIRS)
  bank.next({ on: /^GET .webhook/, does: 'answer', status: 403 })

  await expect(provider.registerNotifications!(OURS)).rejects.toThrow()
  expect(webhooks.get(PIX_KEY)).toBe(THEIRS)

  expect(await provider.registerNotifications!(OURS, { replace: true })).toEqual({
    kind: 'registered',
  })
})
