import { expect, test } from 'vitest'
import { runConnectionTest } from '../../src/providers/connection.ts'
import type { Provider } from '../../src/providers/provider.ts'

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
