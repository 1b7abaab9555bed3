import type { ExitCode } from '@kron/command'
import { type MemoryHostOptions, memoryHost } from './memory-host.js'
import { runKrontab } from './program.js'

export interface MemoryRun {
  readonly exitCode: ExitCode
  readonly stdout: string
  readonly stderr: string
  readonly written: ReadonlyMap<string, string>
  readonly writtenBytes: ReadonlyMap<string, Uint8Array>
}

/** Runs a command in a world of its own: 1 March 2026, no files but those given. */
export function runInMemory(
  args: readonly string[],
  options: Partial<MemoryHostOptions> = {},
): MemoryRun {
  const host = memoryHost({ now: Date.UTC(2026, 2, 1), ...options })
  const exitCode = runKrontab(args, host)
  const { stdout, stderr } = host.output
  const { written, writtenBytes } = host
  return { exitCode, stdout, stderr, written, writtenBytes }
}
