import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { WAIT_MS } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: 'test/support/postgres/template.ts',
    expect: { poll: { timeout: WAIT_MS } },
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
