import { defineConfig } from 'vitest/config'
import base, { NIGHTLY, SLOW } from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: SLOW,
    exclude: NIGHTLY,
    setupFiles: [],
    // Each file runs programs beside itself.
    maxWorkers: 2,
    testTimeout: 180_000,
    // The tools that judge the document are fetched on their first run.
    hookTimeout: 240_000,
  },
})
