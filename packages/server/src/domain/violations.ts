import type { Run } from './run.js'

/**
 * The constraints that a run met, by the names of the endpoint's fields where it has one: those of
 * its schedule, which are written when it is claimed, and those of its execution, which its end
 * tells anyway. So nothing more has to be written for each run, and older rows tell theirs too.
 */
export function violationsOf({ context, status, reason, error, response }: Run): string[] {
  const violations = [...(context.violations ?? [])]
  if (status === 'timeout') {
    violations.push(error?.code === 'connect_timeout' ? 'connectTimeoutMs' : 'timeoutMs')
  }
  if (reason === 'lease_expired') violations.push('maxExecutionTimeMs')
  if (response?.truncated === true) violations.push('maxResponseSizeKb')
  return violations
}
