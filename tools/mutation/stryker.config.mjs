/** Mutation testing of the code that decides. `npm run test:mutation`; not a part of `npm test`. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  mutate: [
    'packages/core/src/{decision,policy,governor}/**/*.ts',
    '!packages/core/src/**/*.test.ts',
    '!packages/core/src/**/index.ts',
  ],
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['/bench', '/docs', 'dist', 'reports'],
  // Stryker would rewrite it with an API that TypeScript 7 does not have; vitest needs none.
  tsconfigFile: 'none',
}
