import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { WAIT_MS } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/replicas/*.test.ts'],
    globalSetup: 'test/support/postgres/template.ts',
    expect: { poll: { timeout: WAIT_MS } },
    // Each file runs the program itself, some several of it; one stands still for two minutes beside the others.
    maxWorkers: 3,
    testTimeout: 180_000,
    hookTimeout: 30_000,
  },
})
