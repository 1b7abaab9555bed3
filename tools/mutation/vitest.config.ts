import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { pathOfThisRun, sliceOf, tooLong } from './slices.ts'

/** The quick tests of the slice, in one project. */
export default defineConfig({
  ...base,
  test: {
    server: base.test!.server!,
    include: [...sliceOf(pathOfThisRun()).tests],
    exclude: tooLong,
    setupFiles: 'tools/mutation/first-failure.ts',
    testTimeout: 60_000,
    // To load every module again for each file would take most of the time.
    isolate: false,
  },
})
