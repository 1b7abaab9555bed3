import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import LongFirst from './tools/order/long-first.ts'

const source = (path: string) =>
  fileURLToPath(new URL(`packages/${path}/index.ts`, import.meta.url))

const sqlite = fileURLToPath(new URL('packages/sqlite/dist/lib/index.js', import.meta.url))

const ofServer = ['packages/server/**', 'simulation/server/**']
const ofOperator = [
  'packages/operator/**',
  'simulation/operator/**',
  'tools/kube/**',
  'tools/charts/**',
]

export default defineConfig({
  resolve: {
    alias: {
      '@kron/core/math': source('core/src/math'),
      '@kron/core': source('core/src'),
      '@kron/runtime/listen': source('runtime/src/listen'),
      '@kron/runtime/testing': source('runtime/src/testing'),
      '@kron/runtime': source('runtime/src'),
      '@kron/scheduler/testing': source('scheduler/src/testing'),
      '@kron/scheduler': source('scheduler/src'),
      '@kron/server/webhook': source('server/src/webhook'),
      '@kron/server': source('server/src'),
      '@kron/command/testing': source('command/testing'),
      '@kron/command': source('command/src'),
      '@kron/preview': source('preview/src'),
      // Two copies of SQLite in one process do not see each other's locks: tests use ours.
      'better-sqlite3': sqlite,
    },
  },
  test: {
    server: { deps: { external: [/\/packages\/sqlite\/dist\//] } },
    reporters: ['default', 'tools/repeat/repeat-reporter.ts'],
    setupFiles: 'tools/repeat/given-seed.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'kron',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'packages/*/testing/**/*.test.ts',
            'simulation/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...ofServer, ...ofOperator],
        },
      },
      {
        extends: true,
        test: {
          name: 'tools',
          include: ['tools/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...ofServer, ...ofOperator],
          // They run whole hosts, some of which are left running: virtual time of the next file
          // would wait for them.
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            'packages/server/src/**/*.test.ts',
            'packages/server/test/**/*.test.ts',
            'packages/server/testing/**/*.test.ts',
            'simulation/server/**/*.test.ts',
          ],
          // One PostgreSQL for all of them, started when one of them is to run.
          globalSetup: 'tools/postgres/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'operator',
          include: [
            'packages/operator/src/**/*.test.ts',
            'packages/operator/test/**/*.test.ts',
            'packages/operator/testing/**/*.test.ts',
            'simulation/operator/**/*.test.ts',
            'tools/kube/**/*.test.ts',
            'tools/charts/**/*.test.ts',
          ],
          // One Kubernetes control plane for all of them, started when the first one asks.
          globalSetup: 'tools/kube/global-setup.ts',
        },
      },
    ],
    // Files share a worker with its modules loaded once: to load them for each file took a third of
    // all time. So a test undoes what it does to its process, such as changing its environment.
    isolate: false,
    // One more than there are cores: many wait for a database, a control plane or a process.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    // Only what hangs is to reach these, on a busy machine too. A database or a control plane may
    // have to start first.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*conformance.ts', '**/testing/**', '**/generated/**'],
      reporter: ['json-summary'],
      reportOnFailure: true,
    },
  },
})
