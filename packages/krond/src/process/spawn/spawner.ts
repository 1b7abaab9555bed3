import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { ExitStatus } from '../processes.js'

/** Where programs are looked for, whatever PATH this process has. */
export const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

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
  /** The user and group of the process, which has no other groups; null: ours. */
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

/** Node's own way. It copies the tables of our memory for each process, so it gets slow with us. */
export const nodeSpawner: Spawner = async (request) => {
  const { program, words, environment, stdin, stdout, stderr, become } = request
  const child = spawn(program, words, {
    cwd: '/',
    env: environment,
    detached: true,
    shell: false,
    stdio: [stdin, stdout, stderr, 'pipe'],
    ...(become !== null && { uid: become.uid, gid: become.gid }),
  })
  await started(child)
  const exit = new Promise<ExitStatus>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  return {
    pid: child.pid!,
    stdin: child.stdin,
    stdout: child.stdout as Socket | null,
    stderr: child.stderr as Socket | null,
    channel: child.stdio[3] as Socket,
    exit,
  }
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    if (child.pid !== undefined) {
      resolve()
      return
    }
    child.once('error', (error) => {
      for (const stream of child.stdio ?? []) stream?.destroy()
      reject(error)
    })
  })
}
