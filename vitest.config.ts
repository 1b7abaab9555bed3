import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) =>
  fileURLToPath(new URL(`packages/${path}/index.ts`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: {
      '@kron/core': source('core/src'),
      '@kron/runtime': source('runtime/src'),
      '@kron/scheduler/testing': source('scheduler/src/testing'),
      '@kron/scheduler': source('scheduler/src'),
    },
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'simulation/**/*.test.ts',
      'tools/**/*.test.ts',
    ],
    testTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/generated/**'],
    },
  },
})
