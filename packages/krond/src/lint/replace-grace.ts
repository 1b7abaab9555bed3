import { formatDuration } from '@kron/core'
import { type Finding, warningAt } from '@kron/preview'
import { defaultOptions } from '../daemon/ports.js'
import type { KrontabRule } from './subject.js'

/** What runs gets no more time to end than the deadline of the period that replaces it. */
export const replaceGrace: KrontabRule = (subject): readonly Finding[] => {
  const { concurrency, deadline } = subject.job.spec.policy
  const { graceMs } = defaultOptions
  if (concurrency !== 'replace' || deadline >= graceMs) return []
  const time =
    deadline === 0
      ? 'without a deadline the run before is killed at once'
      : `a deadline of ${formatDuration(deadline)} gives the run before no more time to end`
  return [
    warningAt(
      subject.policyPlace(),
      'KRON_WARN_REPLACE_DEADLINE',
      `${time}, instead of the ${formatDuration(graceMs)} that krond start --grace gives by default`,
      `add a deadline of ${formatDuration(graceMs)} or more to @policy, such as deadline=1m`,
    ),
  ]
}
