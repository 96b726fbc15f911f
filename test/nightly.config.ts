import { defineConfig } from 'vitest/config'
import slow from './slow.config.ts'
import { NIGHTLY } from './vitest.config.ts'

/** Walks at random, which are long at night. */
const WALKS = [
  'test/http/fuzz.test.ts',
  'test/transactions/dialects.test.ts',
  'test/faults/{killed,providers-at-random,simulation}.test.ts',
]

export default defineConfig({
  ...slow,
  test: {
    ...slow.test,
    include: [...NIGHTLY, ...WALKS],
    exclude: [],
    env: {
      FUZZ_RUNS: '200',
      DIALECT_PAYMENTS: '1000',
      SIMULATION_PAYMENTS: '2000',
      KILL_ROUNDS: '15',
    },
  },
})
