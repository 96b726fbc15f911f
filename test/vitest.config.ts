import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Programs started and tables filled: a suite of its own, so that this one stays under a minute. */
export const HEAVY = [
  'test/cli*.test.ts',
  'test/demo.test.ts',
  'test/embedded.test.ts',
  'test/*-cost.test.ts',
  'test/*-plans.test.ts',
]

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['test/*.test.ts'],
    exclude: HEAVY,
    globalSetup: 'test/support/template.ts',
    // Nothing here is read or kept at import time, and to import it once per file takes longer than
    // the tests.
    isolate: false,
    // A core more than Vitest takes by itself: much of the time is Postgres's.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
