import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { type FailedTest, repeatingLine } from './repeating-line.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test that is random with a seed of its own choice. */
    seed?: number
  }
}

/** More are a broken tree; its first failures are what to look at. */
const maxLines = 10

/** At the end of a run that failed: for each failure the one line that repeats it. */
export default class RepeatReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap(failuresOf)
    if (failed.length === 0) return
    const lines = failed.slice(0, maxLines).map((test) => `  ${repeatingLine(test)}`)
    const more = failed.length - lines.length
    if (more > 0) lines.push(`  … and ${more} more`)
    console.error(`Repeat with:\n${lines.join('\n')}\n`)
  }
}

function failuresOf(module: TestModule): FailedTest[] {
  const file = relative(module.project.config.root, module.moduleId)
  const tests = [...module.children.allTests('failed')].map((test) => failedTest(file, test))
  if (tests.length > 0 || module.ok()) return tests
  const groups = [module, ...module.children.allSuites()]
  const messages = groups.flatMap((group: TestModule | TestSuite) =>
    group.errors().map(({ message }) => message),
  )
  return [{ file, title: null, seed: undefined, messages }]
}

function failedTest(file: string, test: TestCase): FailedTest {
  const messages = (test.result().errors ?? []).map(({ message }) => message)
  return { file, title: test.fullName, seed: test.meta().seed, messages }
}
