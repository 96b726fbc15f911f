import { defineConfig } from 'vitest/config'
import base, { HEAVY } from '../vitest.config.ts'

export default defineConfig({
  ...base,
  test: { ...base.test, include: HEAVY, exclude: [], testTimeout: 60_000 },
})
