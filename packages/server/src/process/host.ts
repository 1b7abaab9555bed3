import type { CommandHost } from '@kron/command'
import type { Clock, LogOutlet } from '@kron/runtime'

export interface HostFile {
  readonly text: string
  /** Whether nobody but its owner may read it. */
  readonly isPrivate: boolean
}

/** Everything a command has of the process it runs in. */
export interface Host extends CommandHost {
  readonly clock: Clock
  readonly home: string
  /** null when there is no such file. */
  readFile(path: string): HostFile | null
  /** Creates a file that only this user may read, with its folders; false where there is one. */
  createFile(path: string, text: string): Promise<boolean>
  removeFile(path: string): Promise<void>
  /** All of standard input. */
  readInput(): Promise<Uint8Array>
  /** Where the log of a service goes; standard error if left out. */
  readonly logOutlet?: () => LogOutlet
  /** Aborts when somebody presses Ctrl-C, or asks the process to end. */
  readonly interrupted: AbortSignal
}

export const inputText = async ({ readInput }: Host): Promise<string> =>
  new TextDecoder().decode(await readInput())
