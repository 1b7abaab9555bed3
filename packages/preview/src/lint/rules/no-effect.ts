import type { Rule } from '../subject.js'

export const noEffect: Rule = (subject) => {
  if (subject.job.spec.window.duration > 0) return []
  return ['dist', 'seed'].flatMap((name) => {
    const span = subject.spans.modifiers.get(name)
    if (span === undefined) return []
    return [
      subject.warning(
        span,
        'KRON_WARN_NO_EFFECT',
        `@${name} has no effect: without a window the job runs at the second of its schedule`,
        'add a window such as @win(after,1h)',
      ),
    ]
  })
}
