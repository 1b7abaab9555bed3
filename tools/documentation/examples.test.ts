import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { wordsOf } from '../../packages/krond/src/krontab/command.js'
import { runOn } from '../../packages/krond/testing/command/memory-host.js'
import { type ConsoleExample, consoleExamples, matches, refreshed } from './console-examples.js'
import { documentationHost, fixtures, readText, repository } from './documentation-host.js'
import { DocumentedCluster } from './documented-cluster.js'
import { KrondHome } from './krond-home.js'
import { pastedFiles } from './pasted-files.js'
import { moduleOf, runnableBlocks } from './runnable-module.js'
import { sampleLog } from './sample-log.js'

const documents = [
  ...(existsSync(join(repository, 'README.md')) ? ['README.md'] : []),
  'packages/core/README.md',
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

interface Outcome {
  readonly lines: readonly string[]
  readonly exitCode: number
}

const manifests = readdirSync(join(repository, 'examples/kubernetes'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => `examples/kubernetes/${name}`)

/** The first steps with krond are those of a user with a home; all else is what root sees. */
const ada = 1000
const userOf = (document: string): number => (document === 'docs/krond.md' ? ada : 0)

const home = new KrondHome(writtenBy(consoleExamples(readText('docs/krond.md'))))
afterAll(() => home.remove())

/** What `krontab add` and the like would have written: the krontabs that krond then finds. */
function writtenBy(examples: readonly ConsoleExample[]): Map<string, string> {
  const commands = examples.filter(({ command }) => command.startsWith('krontab '))
  return new Map(commands.flatMap(({ command }) => [...krontab(command, ada).host.written]))
}

function krontab(command: string, uid: number, pasted?: ReadonlyMap<string, string>) {
  const host = documentationHost(uid, pasted)
  return { host, exitCode: runOn(wordsOf(command).slice(1), host) }
}

async function run(
  command: string,
  uid: number,
  pasted: ReadonlyMap<string, string>,
): Promise<Outcome> {
  if (command.startsWith('krond ')) {
    const { text, exitCode } = await home.run(wordsOf(command).slice(1))
    return { lines: linesOf(text), exitCode }
  }
  const { host, exitCode } = krontab(command, uid, pasted)
  return { lines: linesOf(host.output.both), exitCode }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  while (lines.at(-1) === '') lines.pop()
  return lines
}

const inCluster = /^(?:kronctl|kubectl) /

/** What an example prints; those about a cluster each change it for the ones after them. */
class Session {
  #opened: Promise<DocumentedCluster> | null = null
  readonly #examples: readonly ConsoleExample[]
  readonly #uid: number
  readonly #outcomes = new Map<number, Promise<Outcome>>()

  readonly #pasted: ReadonlyMap<string, string>

  constructor(document: string, examples: readonly ConsoleExample[]) {
    this.#examples = examples
    this.#uid = userOf(document)
    this.#pasted = pastedFiles(readText(document))
  }

  async printedBy(example: ConsoleExample): Promise<readonly string[]> {
    if (example.command !== 'echo $?') return (await this.#outcomeOf(example)).lines
    const before = this.#examples[this.#examples.indexOf(example) - 1]!
    return [String((await this.#outcomeOf(before)).exitCode)]
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }

  get #cluster(): Promise<DocumentedCluster> {
    this.#opened ??= DocumentedCluster.open(manifests, this.#pasted)
    return this.#opened
  }

  async #outcomeOf(example: ConsoleExample): Promise<Outcome> {
    if (!inCluster.test(example.command)) return run(example.command, this.#uid, this.#pasted)
    let before: Promise<unknown> = this.#cluster
    for (const { command, line } of this.#examples) {
      if (!inCluster.test(command)) continue
      const outcome = this.#outcomes.get(line) ?? before.then(() => this.#runInCluster(command))
      this.#outcomes.set(line, outcome)
      if (line === example.line) return outcome
      before = outcome
    }
    throw new Error(`${example.command} is not an example of this document`)
  }

  async #runInCluster(command: string): Promise<Outcome> {
    const cluster = await this.#cluster
    const [program, ...words] = wordsOf(command)
    const isPlugin = program === 'kubectl' && words[0] === 'kron'
    const { text, exitCode } = isPlugin
      ? await cluster.kronctl(words.slice(1), 'kubectl kron')
      : program === 'kubectl'
        ? cluster.kubectl(words)
        : await cluster.kronctl(words, 'kronctl')
    return { lines: linesOf(text), exitCode }
  }
}

const isRun = ({ command }: ConsoleExample): boolean =>
  /^(?:krontab |krond |kronctl |kubectl |echo \$\?$)/.test(command)

/** After a change that is meant, `KRON_REFRESH_DOCUMENTATION=1` writes the new outputs. */
if (process.env['KRON_REFRESH_DOCUMENTATION'] === '1') {
  writeFileSync(join(repository, fixtures, 'krond.jsonl'), await sampleLog())
  for (const document of documents) {
    const text = readText(document)
    const printed = new Map<number, readonly string[]>()
    const examples = consoleExamples(text)
    const session = new Session(document, examples)
    for (const example of examples) {
      const { line, expected } = example
      printed.set(line, isRun(example) ? await session.printedBy(example) : expected)
    }
    await session.close()
    const fresh = refreshed(text, ({ line }) => printed.get(line)!)
    writeFileSync(join(repository, document), fresh)
  }
}

const hasExamples = (text: string): boolean =>
  runnableBlocks(text).length > 0 || consoleExamples(text).some(isRun)

describe.each(documents.filter((name) => hasExamples(readText(name))))('%s', (document) => {
  const text = readText(document)
  const examples = consoleExamples(text)
  const session = new Session(document, examples)
  afterAll(() => session.close())
  for (const example of examples) {
    if (!isRun(example)) continue
    it(`prints in line ${example.line} what it says: ${example.command}`, async () => {
      const printed = await session.printedBy(example)
      if (matches(example.expected, printed)) expect(printed).not.toHaveLength(0)
      else expect(printed.join('\n')).toBe(example.expected.join('\n'))
    })
  }
  for (const block of runnableBlocks(text)) {
    it(`runs the code in line ${block.line}`, async () => {
      const failures = await failuresOf(moduleOf(block), `block-${block.line}`)
      expect(failures).toEqual([])
    })
  }
})

const folder = mkdtempSync(join(tmpdir(), 'documentation-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a module outside the repository, like a user who copied it. */
async function failuresOf(source: string, name: string): Promise<string[]> {
  const failures: string[] = []
  Object.assign(globalThis, {
    __checkDocumentation: (line: number, actual: unknown, expected: unknown) => {
      try {
        expect(actual).toEqual(expected)
      } catch (error) {
        failures.push(`line ${line}: ${String(error)}`)
      }
    },
  })
  const path = join(folder, `${name}.ts`)
  writeFileSync(path, source)
  await import(/* @vite-ignore */ path)
  return failures
}

describe('the examples of the documentation', () => {
  it('are found, so that an empty document does not pass for a correct one', () => {
    const commands = consoleExamples(readText('docs/krontab.md')).map(({ command }) => command)
    for (const name of ['lint', 'explain', 'next', 'simulate']) {
      expect(commands.some((command) => command.startsWith(`krontab ${name} `))).toBe(true)
    }
  })

  it('of krond are found as well', () => {
    const commands = consoleExamples(readText('docs/krond.md')).map(({ command }) => command)
    for (const name of ['run', 'status', 'audit', 'start']) {
      expect(commands.some((command) => command.startsWith(`krond ${name}`))).toBe(true)
    }
  })

  it('of kronctl are found as well, also those that need a cluster', () => {
    const commands = consoleExamples(readText('docs/operator.md')).map(({ command }) => command)
    for (const name of ['next', 'explain', 'validate', 'simulate', 'import', 'suspend', 'run']) {
      expect(commands.some((command) => command.startsWith(`kronctl ${name} `))).toBe(true)
    }
  })

  it('fail when the output is another one, and allow for lines left out', () => {
    expect(matches(['a', 'b'], ['a', 'b'])).toBe(true)
    expect(matches(['a', 'b'], ['a', 'c'])).toBe(false)
    expect(matches(['a'], ['a', 'b'])).toBe(false)
    expect(matches(['a', '...', 'd'], ['a', 'b', 'c', 'd'])).toBe(true)
    expect(matches(['a', '...'], ['a'])).toBe(true)
    expect(matches(['...', 'd'], ['a', 'b'])).toBe(false)
  })

  it('of code are checked where a comment says what a line gives', async () => {
    const block = (...lines: string[]) => ({ info: 'ts runnable', line: 10, lines })
    const good = moduleOf(
      block(
        "import { parseDuration } from '@kron/core'",
        'const a = 1 + 1 // => 2',
        "parseDuration('2h') // => 7_200_000",
      ),
    )
    expect(await failuresOf(good, 'good')).toEqual([])
    const bad = await failuresOf(moduleOf(block('const a = 1', 'a + 1 // => 3')), 'bad')
    expect(bad).toHaveLength(1)
    expect(bad[0]).toContain('line 11')
  })
})
