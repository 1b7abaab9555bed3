import type { Clock, Log } from '@kron/runtime'
import type { Processes } from '../process/index.js'
import type { JobState, LoadedState, Outcome } from '../state/index.js'

/** Everything the daemon acts on. All of it can be virtual. */
export interface DaemonPorts {
  readonly clock: Clock
  readonly store: StateKeeper
  readonly processes: Processes
  readonly log: Log
  readonly observer: Observer
}

/** What the daemon needs of the state store. */
export interface StateKeeper {
  load(identity: string): LoadedState
  save(state: JobState): Promise<void>
}

/** Counts what happens. */
export interface Observer {
  handled(outcome: Outcome): void
  started(lateMs: number): void
  completed(exitCode: number | null): void
  failed(operation: string): void
}

export const nobody: Observer = Object.freeze({
  handled() {},
  started() {},
  completed() {},
  failed() {},
})

export interface DaemonOptions {
  /** Executions at once; further ones wait for their turn. */
  readonly maxRunning: number
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number
  /** Entries of history kept for each job. */
  readonly historyLength: number
}

export const defaultOptions: DaemonOptions = Object.freeze({
  maxRunning: 256,
  graceMs: 10_000,
  historyLength: 10,
})
