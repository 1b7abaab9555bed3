import type { CommandHost, FileSource } from '@kron/command'
import type { Replacement } from '../edit/replace-file.js'

/** Everything a command has of the process it runs in. */
export interface Host extends CommandHost {
  readonly home: string
  /** Of the user; 0 is root. */
  readonly uid: number
  /** The time zone of the system. */
  timezone(): string
  readonly files: FileSource
  /** Puts a whole file in place at once, durably; see `edit/replace-file`. */
  replaceFile(path: string, text: string, replacement: Replacement): void
}
