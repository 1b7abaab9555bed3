import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The quick tests of the mutated folders; the long statistical ones would run for each mutant. */
export default defineConfig({
  ...base,
  test: {
    include: ['packages/core/src/{decision,policy,governor}/*.test.ts'],
    exclude: ['**/distribution-law.test.ts'],
    testTimeout: 60_000,
  },
})
