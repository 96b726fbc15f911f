import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Programs started, tables filled, all pages and refusals walked, passwords guessed, a hundred at the same moment,
 * a bank from the link to the dispute: a suite of its own, so that this one stays under a minute.
 */
export const HEAVY = ['test/**/*.heavy.test.ts']

/** Suites with a configuration of their own. */
const OTHER_SUITES = ['test/{bench,contract,e2e,faults,heavy,replicas}/**']

/** Nothing that is waited for takes as long, but on a machine that has much else to do. */
export const WAIT_MS = 10_000

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...HEAVY, ...OTHER_SUITES],
    globalSetup: 'test/support/postgres/template.ts',
    // Nothing here is read or kept at import time, and to import it once per file takes longer than
    // the tests.
    isolate: false,
    expect: { poll: { interval: 10, timeout: WAIT_MS } },
    // More than there are cores: while a test waits for Postgres, another goes on.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
