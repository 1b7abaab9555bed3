import type { CommandHost, FileSource } from '@kron/command'

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

/** How a file is put in place. */
export interface Replacement {
  /** What it has now; null: it does not exist; left out: whatever it has. */
  readonly before?: string | null
  /** Permissions of a file that is new, and of folders that have to be created for it. */
  readonly fileMode: number
  readonly folderMode: number
}
