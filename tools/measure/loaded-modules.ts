import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What it takes a program to say how it is used. */
export interface ProgramStart {
  readonly program: string
  /** Files that `--help` reads as modules. */
  readonly modules: number
  /** Medians, in milliseconds. */
  readonly helpMs: number
  readonly versionMs: number
}

const rounds = 15

/** Writes how many files were loaded as modules, when the process ends. */
const counter = `
import { registerHooks } from 'node:module'
import { writeFileSync } from 'node:fs'
let files = 0
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files++; return next(url, context) } })
process.on('exit', () => writeFileSync(process.env.KRON_COUNT_TO, String(files)))
`

/** All programs of all packages, each beside the start of a Node that does nothing. */
export function programStarts(root: string): { programs: ProgramStart[]; emptyMs: number } {
  const programs = globSync('packages/*/package.json', { cwd: root })
    .sort()
    .flatMap((path) => {
      const { bin } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
        bin?: Record<string, string>
      }
      const folder = dirname(join(root, path))
      return Object.entries(bin ?? {}).map(([program, file]) => [program, join(folder, file)])
    }) as [string, string][]
  return {
    emptyMs: medianMs(['-e', '0']),
    programs: programs.map(([program, file]) => ({
      program,
      modules: modulesOf(file),
      helpMs: medianMs([file, '--help']),
      versionMs: medianMs([file, '--version']),
    })),
  }
}

function modulesOf(file: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'kron-measure-'))
  try {
    const hooks = `data:text/javascript,${encodeURIComponent(counter)}`
    const env = { ...process.env, KRON_COUNT_TO: join(folder, 'count') }
    spawnSync(process.execPath, ['--import', hooks, file, '--help'], { env, stdio: 'ignore' })
    return Number(readFileSync(join(folder, 'count'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function medianMs(args: readonly string[]): number {
  const times = Array.from({ length: rounds }, () => {
    const from = process.hrtime.bigint()
    execFileSync(process.execPath, args, { stdio: 'ignore' })
    return Number(process.hrtime.bigint() - from) / 1e6
  })
  return Math.round(times.sort((a, b) => a - b)[rounds >> 1]!)
}
