import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { ExitStatus } from '../processes.js'

/** What a stream of a new process is connected to: a descriptor, us, or nothing. */
export type StreamEnd = 'pipe' | 'ignore' | number | Writable

export interface SpawnRequest {
  /** An absolute path, or a name that is looked for in PATH. */
  readonly program: string
  /** Without the name of the program. */
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly stdin: 'pipe' | 'ignore'
  readonly stdout: StreamEnd
  readonly stderr: StreamEnd
  /** Whom the process is to be, with no other groups; null: whom we are. */
  readonly become: { readonly uid: number; readonly gid: number } | null
}

/** A process that leads a session of its own, with descriptor 3 as one end of `channel`. */
export interface SpawnedProcess {
  readonly pid: number
  readonly stdin: Writable | null
  readonly stdout: Socket | null
  readonly stderr: Socket | null
  readonly channel: Socket
  /** Resolves when it is gone. Never rejects. */
  readonly exit: Promise<ExitStatus>
}

/** Starts a process; rejects with an error that has a `code` when there is none then. */
export type Spawner = (request: SpawnRequest) => Promise<SpawnedProcess>
