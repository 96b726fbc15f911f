import { expect, test } from 'vitest'
import { explainFailure, runConnectionTest } from '../../src/providers/connection.ts'
import { type Provider, ProviderDown } from '../../src/providers/provider.ts'
import { toAnswerError } from '../../src/providers/refusal.ts'

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
  const refusals = [401, 403, 429, 503, 500].map((status) =>
    toAnswerError('Fake', { status, retryAt: undefined }, null),
  )
  const errors = [...refusals, new ProviderDown('no way there'), new Error('no answer')]

  expect(errors.map(explainFailure(words))).toEqual(['a', 'b', 'c', 'e', 'e', 'd', 'e'])
})
