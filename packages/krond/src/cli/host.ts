import type { Clock, TextOutput } from '@kron/runtime'
import type { Replacement } from '../edit/replace-file.js'
import type { FileSource } from '../krontab/index.js'

/** Everything a command has of the process it runs in. */
export interface Host {
  readonly clock: Pick<Clock, 'now'>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; relative paths of the command line start here. */
  readonly cwd: string
  readonly home: string
  /** Of the user; 0 is root. */
  readonly uid: number
  /** The time zone of the system. */
  timezone(): string
  readonly files: FileSource
  writeFile(path: string, content: string | Uint8Array): void
  /** Puts a whole file in place at once, durably; see `edit/replace-file`. */
  replaceFile(path: string, text: string, replacement: Replacement): void
  readonly stdout: TextOutput
  readonly stderr: TextOutput
}
