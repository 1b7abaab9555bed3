import type { Finding } from '@kron/preview'
import type { Problem } from '../krontab/index.js'

export function findingOf(problem: Problem): Finding {
  return { ...problem, severity: 'error' }
}
