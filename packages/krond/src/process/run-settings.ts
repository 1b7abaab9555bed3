import type { Command, OutputTarget } from '../krontab/index.js'
import type { Account } from './account.js'

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
