import { ConfigurationError } from '@kron/core'
import type { Configuration } from './configuration.js'

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
