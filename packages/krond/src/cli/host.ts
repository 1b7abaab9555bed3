import type { Clock } from '@kron/runtime'
import type { FileSource } from '../krontab/index.js'
import type { TextOutput } from '../terminal/index.js'

/** Everything a command has of the process it runs in. */
export interface Host {
  readonly clock: Pick<Clock, 'now'>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; relative paths of the command line start here. */
  readonly cwd: string
  readonly home: string
  readonly files: FileSource
  writeFile(path: string, text: string): void
  readonly stdout: TextOutput
  readonly stderr: TextOutput
}
