import type { ExitStatus } from '../process/index.js'
import type { ActiveExecution } from '../state/index.js'
import type { JobRecord } from './job-record.js'
import type { Watch } from './watch.js'

/** A process of a job that runs: started by this daemon, or by one before it. */
export interface Execution {
  readonly record: JobRecord
  readonly active: ActiveExecution
  readonly timeoutMs: number | null
  /** Resolves when the process is gone. Of a process that is not our child, all is unknown. */
  readonly exited: Promise<ExitStatus>
  /** Of a process that is not our child. */
  readonly watch?: Watch
}
