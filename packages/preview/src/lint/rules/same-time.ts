import { counted } from '@kron/runtime'
import { type Finding, warningAt } from '../finding.js'
import type { Subject } from '../subject.js'

/** Fewer jobs than this at one time are nothing special. */
const crowd = 10

/** Jobs without a window that all start in the same second, over all that is looked at. */
export function sameTime(subjects: readonly Subject[]): readonly Finding[] {
  const groups = new Map<string, Subject[]>()
  for (const subject of subjects) {
    const { schedule, timezone, window, policy } = subject.job.spec
    if (window.duration > 0 || policy.suspend) continue
    const key = `${schedule} @tz(${timezone})`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [subject])
    else group.push(subject)
  }
  return [...groups.values()]
    .filter((group) => group.length >= crowd)
    .map((group) => crowded(group[0]!, group.length))
}

function crowded(subject: Subject, jobs: number): Finding {
  const { program, window } = subject.notation
  const { schedule } = subject.job.spec
  return warningAt(
    subject.cronPlace(),
    'KRON_WARN_SAME_TIME',
    `${counted(jobs, 'job')} without a window start in the same second: ${schedule}`,
    `give them a window such as ${window('30m')}; ${program} simulate shows the difference`,
  )
}
