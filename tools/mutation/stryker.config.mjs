import { pathOfThisRun, reportOf, sliceOf } from './slices.ts'

/** Of one slice, or of one file of it; `run.ts` says which. */
const path = pathOfThisRun()
const slice = sliceOf(path)
const file = path.slice(slice.name.length)
const report = reportOf(slice)

export default {
  plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/sample.mjs'],
  ignorers: ['sample'],
  testRunner: 'vitest',
  // Processes: a thread can't change its folder or its zone.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false, pool: 'forks' },
  mutate: [
    `${slice.folder}${file === '' ? '/**/*.ts' : file}`,
    '!**/*.test.ts',
    '!**/*conformance.ts',
    '!**/testing/**',
    '!**/index.ts',
  ],
  coverageAnalysis: 'perTest',
  // A mutant whose code and tests are unchanged is not run again.
  incremental: true,
  incrementalFile: `${report}.incremental.json`,
  // What a module does as it is loaded would need all tests, and a fresh process, for each mutant.
  ignoreStatic: true,
  // Texts are for people: that they are there is tested where people read them.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: Number(process.env.KRON_MUTATION_CONCURRENCY ?? 2),
  // Long enough that a busy machine is not taken for code that never ends.
  timeoutMS: 30_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `${report}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: null },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['/bench', '/docs', 'reports'],
  // Stryker would rewrite it with an API that TypeScript 7 does not have; vitest needs none.
  tsconfigFile: 'none',
}
