import {
  type CommandHost,
  type FileSource,
  Invocation as OutputInvocation,
  type OutputOptions,
} from '@kron/command'
import type { Notation } from '@kron/preview'

/** Options that every command has, as the command line gives them. */
export interface CommonOptions extends OutputOptions {
  readonly file?: readonly string[]
}

/** One run of a command of `krontab` or `krond`. */
export class Invocation extends OutputInvocation<Host> {
  readonly fileArguments: readonly string[]

  constructor(host: Host, options: CommonOptions, program: 'krontab' | 'krond' = 'krontab') {
    super(host, options, program)
    this.fileArguments = options.file ?? []
  }
}

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

/** Schedules as krontabs have them. */
export const krontabNotation: Notation = {
  program: 'krontab',
  check: 'krontab lint',
  parts: {
    window: '@win',
    distribution: '@dist',
    seed: '@seed',
    only: '@only',
    avoid: '@avoid',
  },
  utc: '@tz(UTC)',
  window: (duration) => `@win(after,${duration})`,
  only: (clause) => `@only(${clause})`,
  exact: 'sample=exact',
  exactIn: (distribution) => `@dist(${distribution},sample=exact)`,
  resumed: 'suspend=false',
  fewerJobs: 'fewer files with --file',
}
