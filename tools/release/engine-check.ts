import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installedEngine } from '../engines/installed-engine.ts'
import { installedBun, installedDeno } from '../engines/other-engines.ts'

/** An engine that packages are installed and run on. */
export interface Engine {
  readonly name: string
  /** Node, which runs npm too; the other engines use the packages that npm has installed. */
  readonly node?: string
  /** Runs a file of the project, with words after it. */
  readonly run: (file: string, ...words: string[]) => readonly [program: string, ...words: string[]]
  readonly storage: 'sqlite' | 'memory'
  /** Programs run on it, say that they can't, or are not made for it. */
  readonly programs: 'run' | 'refuse' | 'none'
}

const libraries = fileURLToPath(new URL('smoke/libraries.mjs', import.meta.url))
const server = fileURLToPath(new URL('smoke/server.mjs', import.meta.url))

/** Of what hangs; nothing takes a tenth of it. */
const timeout = 120_000

/** What every engine answers: the decision of a contract has no engine in it. */
const answer = ['2026-03-28T23:17:46Z', 'object object', 'ran 11 times']

/** The engines that we promise, each with what may be expected of it; or why one can't be had. */
export function engines(): (Engine | { readonly name: string; readonly missing: string })[] {
  const node = (version: string, rest: Pick<Engine, 'storage' | 'programs'>) => {
    const found = installedEngine(version)
    const name = `Node ${version}`
    if ('missing' in found) return { name, ...found }
    const run = (...words: string[]) => [found.node, ...words] as const
    return { name, ...rest, node: found.node, run }
  }
  const other = (
    name: string,
    found: { path: string } | { missing: string },
    ...before: string[]
  ) => {
    if ('missing' in found) return { name, ...found }
    const run = (...words: string[]) => [found.path, ...before, ...words] as const
    return { name, run, storage: 'sqlite', programs: 'none' } as const
  }
  return [
    node('20.19.0', { storage: 'memory', programs: 'refuse' }),
    node('22.19.0', { storage: 'sqlite', programs: 'run' }),
    node('24.21.0', { storage: 'sqlite', programs: 'run' }),
    node('26.10.0', { storage: 'sqlite', programs: 'run' }),
    other('Bun', installedBun()),
    other('Deno', installedDeno(), 'run', '--allow-all', '--node-modules-dir=manual'),
  ]
}

/** npm itself, so that any Node can run it. */
function npmProgram(): string {
  const path = process.env['npm_execpath']
  if (path === undefined) throw new Error('start it by npm run release')
  return path
}

/** An empty project with these packages in it, installed as a user would, by that Node. */
export function installInto(
  folder: string,
  packages: readonly string[],
  node: string = process.execPath,
): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{"name":"empty","private":true,"type":"module"}\n')
  const install = ['install', '--no-fund', '--no-audit', ...packages]
  const { status, stdout, stderr } = spawnSync(node, [npmProgram(), ...install], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new Error(`npm install of ${packages.join(' ')} fails: ${stdout}${stderr}`)
  const warnings = stderr.split('\n').filter((line) => /EBADENGINE|install-scripts/.test(line))
  if (warnings.length > 0) throw new Error(`npm install warns: ${warnings.join('\n')}`)
}

/** What libraries do otherwise on that engine than they should; null when nothing. */
export function libraryProblem(engine: Engine, project: string): string | null {
  copyFileSync(libraries, `${project}/libraries.mjs`)
  const [program, ...words] = engine.run('libraries.mjs', engine.storage)
  const { stdout, stderr, status } = spawnSync(program, words, {
    cwd: project,
    encoding: 'utf8',
    timeout,
  })
  const lines = stdout.trim().split('\n')
  if (status === 0 && lines.join('\n') === answer.join('\n')) return null
  return `on ${engine.name} the libraries end with ${status}: ${stdout}${stderr}`
}

/** What the library of the server does otherwise on that engine than it should; null when nothing. */
export function serverProblem(engine: Engine, project: string): string | null {
  copyFileSync(server, `${project}/server.mjs`)
  const [program, ...words] = engine.run('server.mjs')
  const { stdout, stderr, status } = spawnSync(program, words, {
    cwd: project,
    encoding: 'utf8',
    timeout,
  })
  if (status === 0 && stdout === '200 default true\n') return null
  return `on ${engine.name} the library of the server ends with ${status}: ${stdout}${stderr}`
}

/** What a program of the project does otherwise than it should; null when nothing. */
export function programProblem(
  engine: Engine,
  project: string,
  name: string,
  path: string,
): string | null {
  const call = (...arguments_: string[]) => {
    const [program, ...words] = engine.run(path, ...arguments_)
    return spawnSync(program, words, { cwd: project, encoding: 'utf8', timeout })
  }
  const said = call('--version')
  const shown = name === 'kubectl-kron' ? 'kubectl kron' : name
  if (engine.programs === 'refuse') {
    const isRefused = said.status === 4 && / needs Node \d+\.\d+ or later/.test(said.stderr)
    return isRefused ? null : `on ${engine.name} ${name} says ${said.stdout}${said.stderr}`
  }
  const isRight = said.status === 0 && said.stdout.startsWith(`${shown} `) && said.stderr === ''
  if (!isRight) return `on ${engine.name} ${name} --version says ${said.stdout}${said.stderr}`
  const help = call('--help')
  if (help.status === 0 && help.stdout.startsWith(`Usage: ${shown}`) && help.stderr === '')
    return null
  return `on ${engine.name} ${name} --help says ${help.stdout}${help.stderr}`
}
