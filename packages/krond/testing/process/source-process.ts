import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

const at = (path: string): string => new URL(path, import.meta.url).href

const resolver = `
import { registerHooks } from 'node:module'
const sources = {
  '@kron/core': '${at('../../../core/src/index.ts')}',
  '@kron/runtime': '${at('../../../runtime/src/index.ts')}',
}
registerHooks({
  resolve(name, context, next) {
    const source = sources[name] ?? (/^\\.{1,2}\\//.test(name) ? name.replace(/js$/, 'ts') : name)
    return next(source, context)
  },
})
`

/**
 * Runs a module text in another process of Node. `processes` there is `systemProcesses()`, and
 * `sampleStart` makes its starts.
 */
export function spawnSource(
  text: string,
  options: SpawnOptions,
  launcher: string[] = [],
): ChildProcess {
  const imports =
    `import { systemProcesses } from '${at('../../src/process/system-processes.ts')}'\n` +
    `import { sampleStart } from '${at('./sample-start.ts')}'\n` +
    'const processes = systemProcesses()\n'
  const words = [
    ...launcher,
    process.execPath,
    '--no-warnings',
    `--import=data:text/javascript,${encodeURIComponent(resolver)}`,
    '--input-type=module',
    `--eval=${imports}${text}`,
  ]
  return spawn(words[0]!, words.slice(1), { cwd: '/', ...options })
}

export async function sourceOutput(
  text: string,
  options: SpawnOptions = {},
  launcher: string[] = [],
): Promise<{ output: string; errors: string; code: number | null }> {
  const child = spawnSource(text, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }, launcher)
  const [output, errors, code] = await Promise.all([
    textOf(child.stdout!),
    textOf(child.stderr!),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ])
  return { output, errors, code }
}

async function textOf(stream: NonNullable<ChildProcess['stdout']>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
