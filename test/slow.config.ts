import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import base, { NIGHTLY, SLOW } from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: SLOW,
    exclude: NIGHTLY,
    setupFiles: [],
    // More than there are cores: while the programs of a file wait for something, those of another go on.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 180_000,
    // The tools that judge the document are fetched on their first run.
    hookTimeout: 240_000,
  },
})
