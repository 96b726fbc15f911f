import { expect, test } from 'vitest'
import { explainFailure, runConnectionTest } from '../../src/providers/connection.ts'
import { type Provider, ProviderDown } from '../../src/providers/provider.ts'

test('an account that was tried is closed, also where what else is asked of it fails', async () => {
  let closed = 0
  const account = {
    testConnection: async () => [],
    close: async () => {
      closed++
    },
  } as unknown as Provider
  const fail = () => Promise.reject(new Error('the database is gone'))

  await runConnectionTest(() => account, new Date())
  await expect(runConnectionTest(() => account, new Date(), fail)).rejects.toThrow('is gone')

  expect(closed).toBe(2)
})

test('why a connection failed is told in the words of its provider', () => {
  const words = {
    keyRefused: 'a',
    keyForbidden: 'b',
    tooMany: 'c',
    unreachable: 'd',
    noAnswer: 'e',
  }
  const refusals = [401, 403, 429].map((cause) => new ProviderDown('refused', { cause }))
  const errors = [...refusals, new ProviderDown('no way there'), new Error('500')]

  expect(errors.map(explainFailure(words))).toEqual(['a', 'b', 'c', 'd', 'e'])
})
