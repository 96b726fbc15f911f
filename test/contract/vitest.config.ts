import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/contract/*.test.ts'],
    globalSetup: 'test/support/postgres/template.ts',
    // The tools are fetched on their first run.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
