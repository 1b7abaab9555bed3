import type { Command, OutputTarget } from '../krontab/index.js'
import type { ProcessIdentity } from '../state/index.js'

/** The processes of this machine, as far as a daemon that runs jobs needs them. */
export interface Processes {
  /**
   * Starts a gate: a process with the account, groups, folder, umask and environment of the job,
   * which has not executed anything of the job and waits. Resolves when the gate has checked all
   * of that. Rejects with an ExecutionError (the job asks for what there is not) or a SystemError
   * (the machine has no more processes or descriptors); then no process is left.
   */
  prepare(start: StartRequest): Promise<Gate>
  /** Whether that very process still exists; a zombie does not. */
  isAlive(process: ProcessIdentity): boolean
  /** Signals the process group it leads, if it is still that process. False: it is gone. */
  signal(process: ProcessIdentity, signal: EndSignal): boolean
  /**
   * Delivers what an execution of a former daemon has written since, and goes on to write. What it
   * answers waits for the last of it, to be called when the process is gone.
   */
  resumeOutput(owner: OutputOwner, onLine: OnLine): () => Promise<void>
}

/** The execution that output belongs to. */
export interface OutputOwner {
  readonly identity: string
  readonly nominal: number
}

/** Called with lines of streams whose target is `inherit`, without their line ends. */
export type OnLine = (stream: 'stdout' | 'stderr', line: string) => void

export type EndSignal = 'SIGTERM' | 'SIGKILL'

export interface StartRequest {
  readonly identity: string
  readonly name: string
  readonly settings: RunSettings
  /** The period that is started; null for a run outside of any period. */
  readonly period: { readonly nominal: number; readonly chosen: number } | null
  readonly onLine: OnLine
}

export interface Gate {
  readonly process: ProcessIdentity
  /** Lets the gate become the job. Resolves once it has, or with the reason why it could not. */
  release(): Promise<Release>
  /** Ends the gate without it having run anything. Does nothing after `release`. */
  abandon(): void
  /** Resolves when the process is gone and its output was read. Never rejects. */
  readonly exited: Promise<ExitStatus>
}

export type Release = { readonly kind: 'running' } | ExecFailure

export interface ExecFailure {
  readonly kind: 'not-executed'
  readonly reason: string
}

/** `code` is null when a signal ended it, or when it is not known. */
export interface ExitStatus {
  readonly code: number | null
  readonly signal: string | null
}

/** How a job runs, with everything looked up that can be before it starts. */
export interface RunSettings {
  readonly command: Command
  /** null: as the daemon itself, with no supplementary group touched. */
  readonly account: Account | null
  readonly cwd: string | null
  readonly env: Readonly<Record<string, string>>
  readonly umask: number | null
  readonly timeoutMs: number | null
  readonly stdout: OutputTarget
  readonly stderr: OutputTarget
  /** What the job reads; null: nothing. */
  readonly stdin: string | null
}

/** Who a job runs as: all of it is set, and checked before the job is executed. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  /** Supplementary groups, sorted, without doubles. */
  readonly groups: readonly number[]
  readonly home: string
}
