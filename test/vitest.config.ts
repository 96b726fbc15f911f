import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['test/*.test.ts'],
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
