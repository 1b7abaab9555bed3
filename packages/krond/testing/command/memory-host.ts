import { type MemoryOutput, memoryFiles, memoryOutput } from '../../../command/testing/index.js'
import type { ExitCode } from '../../src/cli/index.js'
import * as commands from '../../src/cli/krontab-commands.js'
import { runKrontab } from '../../src/cli/krontab-program.js'
import type { Host } from '../../src/command/invocation.js'

export interface MemoryHostOptions {
  /** What the clock shows, always. */
  readonly now: number
  /** Absolute paths and what the files have. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly home?: string
  /** 1000 if left out. */
  readonly uid?: number
  /** UTC if left out. */
  readonly timezone?: string
  readonly isTerminal?: boolean
  readonly columns?: number
}

/** A host with nothing of a machine: files in memory, a clock that stands, collected output. */
export interface MemoryHost extends Host, MemoryOutput {
  /** Files that commands wrote. */
  readonly written: ReadonlyMap<string, string>
}

export function memoryHost(options: MemoryHostOptions): MemoryHost {
  const written = new Map<string, string>()
  return {
    clock: { now: () => new Date(options.now) },
    env: options.env ?? {},
    cwd: options.cwd ?? '/home/ada',
    home: options.home ?? '/home/ada',
    uid: options.uid ?? 1000,
    timezone: () => options.timezone ?? 'UTC',
    files: memoryFiles(options.files ?? {}),
    writeFile: (path, content) => void written.set(path, content),
    replaceFile: (path, text) => void written.set(path, text),
    ...memoryOutput(options),
    written,
  }
}

export interface MemoryRun {
  readonly exitCode: ExitCode
  readonly stdout: string
  readonly stderr: string
  readonly written: ReadonlyMap<string, string>
}

/** Runs a command in a world of its own: 1 March 2026, no files but those given. */
export function runInMemory(
  args: readonly string[],
  options: Partial<MemoryHostOptions> = {},
): MemoryRun {
  const host = memoryHost({ now: Date.UTC(2026, 2, 1), ...options })
  const exitCode = runOn(args, host)
  const { stdout, stderr } = host.output
  return { exitCode, stdout, stderr, written: host.written }
}

/** Runs a command of `krontab` at once, with all of its parts loaded. */
export function runOn(args: readonly string[], host: Host): ExitCode {
  const exitCode = runKrontab(args, host, (act) => act(commands))
  if (typeof exitCode !== 'number') throw new Error('a command of krontab answers at once')
  return exitCode
}
