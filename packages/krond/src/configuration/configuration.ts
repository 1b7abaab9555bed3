import { ConfigurationError, type KronError } from '@kron/core'
import type { HostJob } from '../daemon/index.js'

/** The jobs of this host, as all files together give them. */
export interface Configuration {
  readonly jobs: readonly HostJob[]
  /** What is wrong with files and jobs that are left out. */
  readonly problems: readonly KronError[]
  /** What readers of cron's own files should know, such as lines that krond does not run. */
  readonly notices?: readonly string[]
}

/**
 * Whether a daemon may start with it: single jobs that are invalid are left out, unless that
 * leaves none, or `strict` was asked for.
 */
export function usableConfiguration(
  configuration: Configuration,
  { strict }: { strict: boolean },
): Configuration {
  const { jobs, problems } = configuration
  const first = problems[0]
  if (first === undefined || (!strict && jobs.length > 0)) return configuration
  const others = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  throw new ConfigurationError(first.code, `${first.message}${others}`, {
    ...first.details,
    problems: problems.map(({ message }) => message),
  })
}
