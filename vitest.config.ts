import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (name: string) =>
  fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url))

export default defineConfig({
  resolve: { alias: { '@kron/core': source('core'), '@kron/runtime': source('runtime') } },
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
