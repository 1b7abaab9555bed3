import type { Clock, TextOutput } from '@kron/runtime'

/** What every command has of the process it runs in; programs add what theirs need. */
export interface CommandHost {
  readonly clock: Pick<Clock, 'now'>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; relative paths of the command line start here. */
  readonly cwd: string
  writeFile(path: string, content: string | Uint8Array): void
  readonly stdout: TextOutput
  readonly stderr: TextOutput
}
