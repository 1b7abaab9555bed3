import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The same tests with their long versions: a million oracle cases instead of twenty thousand. */
export default defineConfig({
  ...base,
  test: { ...base.test, env: { KRON_LONG: '1' }, testTimeout: 3_600_000 },
})
