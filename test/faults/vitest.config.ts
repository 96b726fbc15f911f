import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { WAIT_MS } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: 'test/support/postgres/template.ts',
    expect: { poll: { timeout: WAIT_MS } },
    // Each file runs the program itself, some several of it; half of the time it waits for one to start.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 30_000,
  },
})
