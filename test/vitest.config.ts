import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** They start programs, as the service, Postgres and browsers, or change a table of a million rows. */
export const SLOW = ['test/**/*.slow.test.ts', 'test/{contract,e2e,faults}/**/*.test.ts']
/** They take minutes, or need what most machines lack. */
export const NIGHTLY = ['test/**/*.nightly.test.ts', 'test/replicas/*.test.ts']

// Node imports what tests import by itself, as it runs the program, and keeps what it compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/vintem')

/** Nothing that is waited for takes as long, but on a machine that has much else to do. */
const WAIT_MS = 10_000

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...SLOW, ...NIGHTLY],
    globalSetup: 'test/support/postgres/template.ts',
    setupFiles: ['test/support/cheap-argon2.ts', 'test/support/checked-views.ts'],
    // What a file imports is read once in a worker, and so are the app, its database and the browser made once.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    expect: { poll: { interval: 10, timeout: WAIT_MS } },
    // More than there are cores: while a test waits for Postgres, another goes on.
    maxWorkers: availableParallelism() + 1,
    // The longest test takes 12 s alone, and ten times as long beside much else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
