import { warningAt } from '../finding.js'
import type { Rule } from '../subject.js'

export const noEffect: Rule = (subject) => {
  if (subject.job.spec.window.duration > 0) return []
  const { parts, window } = subject.notation
  return (['distribution', 'seed'] as const).flatMap((part) => {
    const place = subject.partPlace(part)
    if (place === null) return []
    return [
      warningAt(
        place,
        'KRON_WARN_NO_EFFECT',
        `${parts[part]} has no effect: without a window the job runs at the second of its schedule`,
        `add a window such as ${window('1h')}`,
      ),
    ]
  })
}
