import { formatDuration } from '@kron/core'
import { type Finding, warningAt } from '@kron/preview'
import type { ManifestSubject } from './manifest-subject.js'

/** Less than this is seldom enough for Pods to end. */
const defaultGraceMs = 30_000

/** The running Job must be gone before the next one starts, and that takes time. */
export function replaceDeadline({ job, object }: ManifestSubject): readonly Finding[] {
  const { concurrency, deadline } = job.spec.policy
  // None at all leaves a replacement that began in time the minute that the controller grants.
  if (concurrency !== 'replace' || deadline === 0 || deadline >= defaultGraceMs) return []
  return [
    warningAt(
      object.valuePlace(['spec', 'policy', 'concurrency']),
      'KRON_WARN_REPLACE_DEADLINE',
      'replace waits until the running Job is gone, and a deadline of ' +
        `${formatDuration(deadline)} is short for that: the period may be missed`,
      'set spec.policy.deadline to at least the time that its Pods take to end, such as 5m',
    ),
  ]
}
