import { defineConfig } from 'vitest/config'
import slow from './slow.config.ts'
import { NIGHTLY } from './vitest.config.ts'

/** They try more at night. */
const LONGER = [
  'test/http/fuzz.test.ts',
  'test/transactions/dialects.test.ts',
  'test/faults/{disputes,incoming,providers}-killed.test.ts',
  'test/faults/{providers,providers-at-random,simulation}.test.ts',
  'test/e2e/dashboard/{looks,lists}.test.ts',
]

export default defineConfig({
  ...slow,
  test: {
    ...slow.test,
    include: [...NIGHTLY, ...LONGER],
    exclude: [],
    // Each file runs several programs beside itself.
    maxWorkers: 2,
    env: {
      FUZZ_RUNS: '200',
      DIALECT_PAYMENTS: '1000',
      SIMULATION_PAYMENTS: '2000',
      KILL_MOMENTS: 'all',
      KILL_ROUNDS: '15',
      TRIED_ACQUIRERS: 'mercadopago,malga,pagarme',
      LOOKED_AT_WIDTHS: '320,390,768,1024,1280',
    },
  },
})
