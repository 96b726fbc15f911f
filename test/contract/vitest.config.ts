import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { WAIT_MS } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/contract/*.test.ts'],
    globalSetup: 'test/support/postgres/template.ts',
    expect: { poll: { timeout: WAIT_MS } },
    // The tools are fetched on their first run.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
