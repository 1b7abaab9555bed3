import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FailedTest, repeatingLine } from './repeating-line.js'

const failed = (changes: Partial<FailedTest>): FailedTest => ({
  file: 'packages/core/src/a.test.ts',
  title: 'a > b',
  seed: undefined,
  messages: [],
  ...changes,
})

describe('the line that repeats a failure', () => {
  it.each([
    ['a test', {}, `npx vitest run packages/core/src/a.test.ts -t '^a > b$'`],
    ['a file that can not be read', { title: null }, 'npx vitest run packages/core/src/a.test.ts'],
    [
      'a title with signs of patterns and shells',
      { title: `it's (5 * 3) > $x` },
      String.raw`npx vitest run packages/core/src/a.test.ts -t '^it'\''s \(5 \* 3\) > \$x$'`,
    ],
    [
      'a seed of its own',
      { seed: 7, messages: ['{ seed: 8, path: "1" }'] },
      `KRON_SEED=7 npx vitest run packages/core/src/a.test.ts -t '^a > b$'`,
    ],
    [
      'a property',
      { messages: ['no', 'Property failed after 1 tests\n{ seed: -12, path: "0:1" }'] },
      `KRON_SEED=-12 npx vitest run packages/core/src/a.test.ts -t '^a > b$'`,
    ],
    [
      'a world',
      { messages: ['KRON_SEED=41 npx vitest run simulation/krond\nran twice'] },
      `KRON_SEED=41 npx vitest run packages/core/src/a.test.ts -t '^a > b$'`,
    ],
  ])('of %s', (_, changes, line) => {
    expect(repeatingLine(failed(changes))).toBe(line)
  })
})

describe('a run that fails', () => {
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  let folder: string
  beforeAll(() => {
    // In a folder where the configuration looks for tests, but under a name of its own.
    folder = mkdtempSync(join(repository, 'tools/repeat/failing-'))
    writeFileSync(
      join(folder, 'random.test.ts'),
      `import fc from 'fast-check'
import { it } from 'vitest'
it("isn't (always) small", () => {
  fc.assert(fc.property(fc.integer(), (n) => { console.log('tried', n); return n < 1000 }))
})
`,
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** A shell as a person has it, without what this run has set. */
  function inShell(line: string): string {
    const { KRON_SEED: _, VITEST: __, ...env } = process.env
    const bin = join(repository, 'node_modules/.bin')
    const options = { cwd: repository, env: { ...env, PATH: `${bin}:${env['PATH']}` } }
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { ...options, encoding: 'utf8' })
    return stdout + stderr
  }

  const tried = (output: string) => output.match(/^tried -?\d+$/gm)

  it('prints it, and the line makes the same random choices again', () => {
    const first = inShell(`npx vitest run ${folder}`)
    const line = /^Repeat with:\n {2}(.*)$/m.exec(first)?.[1]
    expect(line).toMatch(/^KRON_SEED=-?\d+ npx vitest run tools\/repeat\/failing-\w+\/random/)
    const second = inShell(line!)
    expect(tried(second)).toEqual(tried(first))
    expect(second).toContain(line)
  })
})
